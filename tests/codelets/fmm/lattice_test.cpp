// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/lattice/lattice.hpp"

#include "codelets/fmm/l2p/l2p.hpp"
#include "codelets/fmm/p2m/p2m.hpp"
#include "core/fmm/lattice.hpp"
#include "core/kernels/kernels.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/local_buffers.hpp"

#include <nearfar/runtime.hpp>

#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <random>

using namespace nearfar;
using namespace nearfar::test;
using Charge = std::array<double, 4>;  // x, y, z, q

namespace {

double const pi_ = 3.14159265358979324;

/// Ewald's sum for charges in a cell in a conductor: potential and gradient at charge i, without itself; a charged cell
/// has its background.
std::array<double, 4> ewald(std::vector<Charge> const& charges, std::size_t i, std::array<double, 3> const& edge) {
  double const volume = edge[0] * edge[1] * edge[2], alpha = std::sqrt(pi_) / std::cbrt(volume);
  std::array<double, 4> u{};
  for (std::size_t j = 0; j < charges.size(); ++j) {
    double const q = charges[j][3];
    for (int a = -6; a <= 6; ++a)
      for (int b = -6; b <= 6; ++b)
        for (int c = -6; c <= 6; ++c) {
          double const n[3] = {double(a), double(b), double(c)};
          double x[3], k[3], r2 = 0, phase = 0;
          for (std::size_t d = 0; d < 3; ++d) {
            x[d] = charges[i][d] - charges[j][d] - n[d] * edge[d];
            r2 += x[d] * x[d];
            k[d] = 2 * pi_ * n[d] / edge[d];
            phase += k[d] * (charges[i][d] - charges[j][d]);
          }
          double const r = std::sqrt(r2);
          if (r > 0) {
            double const near = std::erfc(alpha * r) / r,
                         slope = -(near + 2 * alpha / std::sqrt(pi_) * std::exp(-alpha * alpha * r2)) / r2;
            u[0] += q * near;
            for (std::size_t d = 0; d < 3; ++d) u[d + 1] += q * slope * x[d];
          } else u[0] -= q * 2 * alpha / std::sqrt(pi_);
          double const k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
          if (k2 == 0) continue;
          double const far = 4 * pi_ / (volume * k2) * std::exp(-k2 / (4 * alpha * alpha));
          u[0] += q * far * std::cos(phase);
          for (std::size_t d = 0; d < 3; ++d) u[d + 1] -= q * far * std::sin(phase) * k[d];
        }
    u[0] -= q * pi_ / (alpha * alpha * volume);
  }
  return u;
}

/// The same from the root box alone: near images pair by pair, the others by P2M, Lattice and L2P, and the boundary
/// terms. Returns the relative l2 difference, of potentials and of gradients.
std::array<double, 2> difference(std::vector<Charge> const& charges, int order, int separation, bool tuned,
                                 std::array<double, 3> const& aspect) {
  double const edge = 2;
  std::array<double, 3> edges;
  for (std::size_t d = 0; d < 3; ++d) edges[d] = edge * aspect[d];
  auto const n = std::int64_t(charges.size()), stride = n + 16;
  AlignedVector<double> position(std::size_t(3 * stride)), strength(std::size_t(stride), 0.0);
  CellMoments moments;
  for (std::size_t j = 0; j < charges.size(); ++j) {
    for (std::size_t d = 0; d < 3; ++d) position[d * std::size_t(stride) + j] = charges[j][d];
    double const q = strength[j] = charges[j][3];
    moments.charge += q;
    for (std::size_t d = 0; d < 3; ++d) {
      moments.dipole[d] += q * charges[j][d];
      moments.second += q * charges[j][d] * charges[j][d];
    }
  }
  std::vector<Leaf> leaf{{{0, 0, 0}, 0, int(n)}};
  auto table = make_lattice_table(order, separation, aspect);
  AlignedVector<double> multipole(std::size_t(expansion_size<double>(order, 1, 1))), local(multipole.size(), 7.0),
      far(std::size_t(4 * stride));
  LocalBuffers p2m, lattice, l2p;
  p2m.access().add(leaf).access().add(position).access().add(strength).access().add(multipole);
  lattice.access().add(table).access().add(multipole).access().add(local);
  l2p.access().add(leaf).access().add(position).access().add(local).access().add(far);
  P2MArgs const up{order, 1, edge / 2, -edge / 2, {aspect[0], aspect[1], aspect[2]}};
  L2PArgs const down{order, 1, edge / 2, -edge / 2, {aspect[0], aspect[1], aspect[2]}};
  if (tuned) P2M<double, LaplaceSums>::tuned(p2m.view(), up);
  else P2M<double, LaplaceSums>::portable(p2m.view(), up);
  Lattice<double>::portable(lattice.view(), {order, 1, separation});
  if (tuned) L2P<double, LaplaceGradient::Evaluation>::tuned(l2p.view(), down);
  else L2P<double, LaplaceGradient::Evaluation>::portable(l2p.view(), down);

  auto const terms = boundary_terms(moments, edge, separation, Surrounding::conductor, aspect);
  std::array<double, 2> error{}, size{};
  for (std::size_t i = 0; i < charges.size(); ++i) {
    std::array<double, 4> u{};
    for (auto const& source : charges)
      for (int a = -separation; a <= separation; ++a)
        for (int b = -separation; b <= separation; ++b)
          for (int c = -separation; c <= separation; ++c) {
            double const x[3] = {charges[i][0] - source[0] - a * edges[0], charges[i][1] - source[1] - b * edges[1],
                                 charges[i][2] - source[2] - c * edges[2]};
            double const r = std::hypot(x[0], x[1], x[2]);
            if (r == 0) continue;
            u[0] += source[3] / r;
            for (std::size_t d = 0; d < 3; ++d) u[d + 1] -= source[3] * x[d] / (r * r * r);
          }
    u[0] += terms.constant;
    for (std::size_t d = 0; d < 3; ++d) {
      double const x = charges[i][d];
      u[0] += terms.linear[d] * x + terms.square * x * x;
      u[d + 1] += terms.linear[d] + 2 * terms.square * x;
    }
    auto const exact = ewald(charges, i, edges);
    for (std::size_t m = 0; m < 4; ++m) {
      u[m] += far[m * std::size_t(stride) + i];
      error[m > 0] += std::pow(u[m] - exact[m], 2);
      size[m > 0] += exact[m] * exact[m];
    }
  }
  return {std::sqrt(error[0] / size[0]), std::sqrt(error[1] / size[1])};
}

}  // namespace

TEST_CASE("the lattice operator and the boundary terms make Ewald's sum") {
  Runtime const runtime;  // the portable bodies run through its Kokkos
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (std::array<double, 3> const& aspect : {std::array{1.0, 1.0, 1.0}, std::array{0.95, 1.0, 0.9}}) {
    CAPTURE(aspect[0]);
    std::vector<Charge> neutral, charged;
    for (int i = 0; i < 12; ++i)
      for (auto* charges : {&neutral, &charged})
        charges->push_back({aspect[0] * uniform(random), aspect[1] * uniform(random), aspect[2] * uniform(random),
                            charges == &neutral && i % 2 == 0 ? -1.0 : 1.0});
    for (auto const* charges : {&neutral, &charged})
      for (int separation : {1, 2})
        for (bool tuned : {false, true}) {
          CAPTURE(separation);
          auto const e = difference(*charges, separation == 1 ? 28 : 20, separation, tuned, aspect);
          CHECK(e[0] < (aspect[0] == 1 ? 1e-10 : 1e-8));
          CHECK(e[1] < (aspect[0] == 1 ? 1e-10 : 1e-8));
        }
  }
}
