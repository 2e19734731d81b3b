// SPDX-License-Identifier: BSD-3-Clause
#include <nearfar/flow.hpp>

#include "core/kernels/pairs/direct.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

using namespace nearfar;

namespace {

/// The flow of a strength at r: velocity, pressure and gradient.
template <class K>
std::array<long double, 13> flow(std::array<long double, 3> const& r, std::array<long double, 9> const& strength) {
  std::array<long double, 13> u{};
  add_pair<K>(r.data(), strength.data(), u.data());
  return u;
}

constexpr std::array<long double, 9> strength{0.3L, -1.1L, 0.7L, 0.9L, 0.2L, -0.4L, 1.3L, 0.8L, -0.6L};
constexpr std::array<long double, 3> place{0.4L, -0.5L, 0.3L};

/// The derivative of a number by a coordinate, by central differences of sixth order.
template <class Value>
long double slope(Value const& value, int m) {
  long double const h = 1e-3L;
  long double sum = 0;
  for (auto const& [steps, weight] : {std::pair(1, 45.0L), std::pair(2, -9.0L), std::pair(3, 1.0L)}) {
    auto ahead = place, behind = place;
    ahead[std::size_t(m)] += steps * h;
    behind[std::size_t(m)] -= steps * h;
    sum += weight * (value(ahead) - value(behind)) / (60 * h);
  }
  return sum;
}

template <class K>
void check_flow() {
  auto const u = flow<K>(place, strength);
  for (std::size_t j = 0; j < 3; ++j)
    for (int m = 0; m < 3; ++m) {
      auto const velocity = [&](auto const& r) { return flow<K>(r, strength)[j]; };
      CHECK(double(u[4 + 3 * j + std::size_t(m)]) == doctest::Approx(double(slope(velocity, m))).epsilon(1e-12));
    }
  CHECK(std::abs(double(u[4] + u[8] + u[12])) < 1e-15);
  // Away from the sources nothing pushes the fluid: lap u = grad p, and so the stress has no divergence.
  for (std::size_t j = 0; j < 3; ++j) {
    long double force = 0;
    for (std::size_t m = 0; m < 3; ++m)
      force += slope(
          [&](auto const& r) {
            auto const there = flow<K>(r, strength);
            Tensor<long double> gradient;
            std::copy_n(&there[4], 9, gradient.begin());
            return stress(there[3], gradient)[3 * j + m];
          },
          int(m));
    CHECK(std::abs(double(force)) < 1e-11);
  }
}

}  // namespace

TEST_CASE("flows in free space: gradients by differences, no divergence, no force where no source is") {
  check_flow<StokesletGradient>();
  check_flow<StressletGradient>();
  check_flow<StokesGradient>();
  check_flow<RotletGradient>();
  check_flow<DoubletGradient>();
}

TEST_CASE("flows in free space: known pressures") {
  std::array<double, 3> const r{2, 0, 0};
  std::array<double, 9> const along{1, 0, 0, 1, 0, 0}, across{0, 1, 0, 0, 1, 0};
  std::array<double, 4> u{};
  add_pair<StokesletPressure>(r.data(), along.data(), u.data());
  CHECK(u == std::array<double, 4>{1, 0, 0, 0.5});
  u = {};
  add_pair<StressletPressure>(r.data(), along.data(), u.data());
  CHECK(u == std::array<double, 4>{-1.5, 0, 0, -1});
  u = {};
  add_pair<StressletPressure>(r.data(), across.data(), u.data());
  CHECK(u == std::array<double, 4>{0, 0, 0, 0.5});
  u = {};
  add_pair<RotletPressure>(r.data(), across.data(), u.data());
  CHECK(u == std::array<double, 4>{0, 0, -0.25, 0});
}

TEST_CASE("the stress of a force is the kernel of the double layer, T_jlm f_l") {
  auto const u = flow<StokesletGradient>(place, strength);
  Tensor<long double> gradient;
  std::copy_n(&u[4], 9, gradient.begin());
  Tensor<long double> const sigma = stress(u[3], gradient);
  long double const r2 = place[0] * place[0] + place[1] * place[1] + place[2] * place[2],
                    along = place[0] * strength[0] + place[1] * strength[1] + place[2] * strength[2];
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t m = 0; m < 3; ++m)
      CHECK(double(sigma[3 * j + m]) ==
            doctest::Approx(double(-6 * place[j] * along * place[m] / (r2 * r2 * std::sqrt(r2)))).epsilon(1e-15));
}

TEST_CASE("a force dipole is two forces that are close, and a torque, a double layer and a source") {
  auto const dipole = [](std::array<long double, 3> const& r) { return flow<DoubletGradient>(r, strength); };
  auto const u = dipole(place), with_pressure = flow<DoubletPressure>(place, strength),
             alone = flow<Doublet>(place, strength);
  for (std::size_t j = 0; j < 4; ++j) CHECK(double(with_pressure[j]) == doctest::Approx(double(u[j])).epsilon(1e-15));
  for (std::size_t j = 0; j < 3; ++j) CHECK(alone[j] == with_pressure[j]);
  // -D_lm d_m of the flow of a force along l.
  std::array<long double, 4> of_forces{};
  for (std::size_t l = 0; l < 3; ++l) {
    std::array<long double, 9> force{};
    force[l] = 1;
    for (int m = 0; m < 3; ++m)
      for (std::size_t j = 0; j < 4; ++j)
        of_forces[j] -= strength[3 * l + std::size_t(m)] *
                        slope([&](auto const& r) { return flow<StokesletGradient>(r, force)[j]; }, m);
  }
  for (std::size_t j = 0; j < 4; ++j) CHECK(double(u[j]) == doctest::Approx(double(of_forces[j])).epsilon(1e-12));
  for (std::size_t j = 0; j < 3; ++j)
    for (int m = 0; m < 3; ++m)
      CHECK(double(u[4 + 3 * j + std::size_t(m)]) ==
            doctest::Approx(double(slope([&](auto const& r) { return dipole(r)[j]; }, m))).epsilon(1e-12));
  // The torque of D and the double layer -(D + D^T) / 4, column by column, less a source of its trace.
  std::array<long double, 9> const torque{strength[7] - strength[5], strength[2] - strength[6],
                                          strength[3] - strength[1]};
  auto parts = flow<RotletGradient>(place, torque);
  for (std::size_t m = 0; m < 3; ++m) {
    std::array<long double, 9> layer{};
    for (std::size_t l = 0; l < 3; ++l) layer[l] = -(strength[3 * l + m] + strength[3 * m + l]) / 4;
    layer[3 + m] = 1;
    auto const column = flow<StressletGradient>(place, layer);
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] += column[i];
  }
  long double const trace = strength[0] + strength[4] + strength[8], r = std::hypot(place[0], place[1], place[2]),
                    cube = r * r * r;
  for (std::size_t j = 0; j < 3; ++j) {
    parts[j] -= trace * place[j] / cube;
    for (std::size_t m = 0; m < 3; ++m)
      parts[4 + 3 * j + m] -= trace * ((j == m ? 1 : 0) - 3 * place[j] * place[m] / (r * r)) / cube;
  }
  for (std::size_t i = 0; i < u.size(); ++i) CHECK(double(u[i]) == doctest::Approx(double(parts[i])).epsilon(1e-14));
}

TEST_CASE("vorticity, strain rate and traction of simple flows") {
  // Shear u = (y, 0, 0): half a rotation about -z, half a stretch along the diagonal.
  Tensor<double> const shear{0, 1, 0, 0, 0, 0, 0, 0, 0};
  CHECK(vorticity(shear) == std::array<double, 3>{0, 0, -1});
  CHECK(strain_rate(shear) == Tensor<double>{0, 0.5, 0, 0.5, 0, 0, 0, 0, 0});
  CHECK(traction(3.0, shear, {0, 1, 0}) == std::array<double, 3>{1, -3, 0});
  // A rigid rotation t x r has vorticity 2 t and no stress but the pressure.
  std::array<float, 3> const t{1, 2, 3};
  Tensor<float> const turning{0, -t[2], t[1], t[2], 0, -t[0], -t[1], t[0], 0};
  CHECK(vorticity(turning) == std::array<float, 3>{2, 4, 6});
  CHECK(stress(5.0f, turning) == Tensor<float>{-5, 0, 0, 0, -5, 0, 0, 0, -5});
  // The curl of a rotlet's flow by its formula, (3 (t.r) r / r^2 - t) / r^3.
  auto const u = flow<RotletGradient>(place, strength);
  Tensor<long double> gradient;
  std::copy_n(&u[4], 9, gradient.begin());
  auto const omega = vorticity(gradient);
  long double const r2 = place[0] * place[0] + place[1] * place[1] + place[2] * place[2],
                    along = place[0] * strength[0] + place[1] * strength[1] + place[2] * strength[2];
  for (std::size_t j = 0; j < 3; ++j)
    CHECK(double(omega[j]) ==
          doctest::Approx(double((3 * along * place[j] / r2 - strength[j]) / (r2 * std::sqrt(r2)))).epsilon(1e-15));
}
