// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/p2p/p2p.hpp"
#include "codelets/laboratory/stages/p2p_cell_team.hpp"
#include "codelets/near/p2p/p2p_buffers.hpp"
#include "codelets/near/p2p/p2p_team.hpp"
#include "codelets/near/reduce/reduce.hpp"
#include "codelets/spectral/tables.hpp"
#include "core/ewald/split/profile.hpp"
#include "core/geometry/mutual.hpp"
#include "core/kernels/kernels.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/host_team.hpp"
#include "tests/codelets/host_warp.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/codelets/only_simd.hpp"
#include "tests/oracle/pair.hpp"

#include <nearfar/runtime.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <iterator>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// A pair of a kernel with further outputs by its own formulas, but from the profile itself, not from polynomials.
template <class K>
void add_near_pair(Profile const& profile, double const* r, double d, double const* strength, double* u) {
  bool const close = d < 1e-3 * profile.cutoff();  // there, layers are what they are at 0, or cancel
  double const first = double(profile.first(close ? 0 : d)), inverse = d > 0 ? 1 / d : 0,
               over_r = close ? first : double(profile.value(d)) / d, curvature = -double(profile.second_over_r(d));
  double layer[max_near_layers], factor[K::Near::factor_count];
  for (std::size_t l = 0; l < K::near_layers.size(); ++l) switch (K::near_layers[l]) {
      case Radial::potential: layer[l] = over_r; break;
      case Radial::stokes: layer[l] = over_r + first; break;
      case Radial::slope: layer[l] = close ? curvature / 3 : (over_r - first) / (d * d); break;
      case Radial::curvature: layer[l] = curvature; break;
      case Radial::bend: layer[l] = -double(profile.third_over_r(d)); break;
    }
  K::Near::factors(layer + K::Near::first_layer, inverse, factor);
  K::Near::add(factor, r[0], r[1], r[2], strength, u);
}

/// All pairs and all images that the cutoff can reach, from the profile itself: no cells, no polynomials.
template <class K>
std::array<double, max_results> direct(Cells const& c, Profile const& profile, std::array<double, 3> const& x,
                                       auto const& set) {
  std::array<double, max_results> u{};
  int images[3];
  for (int d = 0; d < 3; ++d) images[d] = c.periodic[d] ? 1 + int(c.cutoff / c.edge[d]) : 0;
  for (std::size_t j = 0; j < set.near_point.size(); ++j)
    for (int i = -images[0]; i <= images[0]; ++i)
      for (int k = -images[1]; k <= images[1]; ++k)
        for (int l = -images[2]; l <= images[2]; ++l) {
          auto const& y = set.near_point[j];
          double const r[3] = {x[0] - y[0] - i * c.edge[0], x[1] - y[1] - k * c.edge[1], x[2] - y[2] - l * c.edge[2]};
          double const d = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
          if (d >= c.cutoff) continue;
          auto const* f = set.strength[j].data();
          if (K::outputs.has(Output::pressure) || K::outputs.has(Output::hessian)) {
            add_near_pair<K>(profile, r, d, f, u.data());
          } else if (d == 0) {
            oracle::add_self(K::kernel, double(profile.first(d)), f, u.data());
          } else {
            oracle::Screen<double> const screen{double(1 - profile.value(d)), double(profile.first(d)),
                                                double(profile.second(d))};
            oracle::add_pair(K::kernel, K::outputs.has(Output::gradient), r, d, screen, f, u.data());
          }
        }
  return u;
}

enum class Body { portable, tuned, warp_of_32, warp_of_64, cells_by_one, cells_by_four };

/// A body that is compared with the portable one. `same`: it is told that the targets are the sources.
struct Way {
  Body body;
  bool same, contributions;
};
constexpr Way ways[] = {{Body::tuned, false, false},        {Body::tuned, true, false},
                        {Body::portable, true, true},       {Body::tuned, true, true},
                        {Body::warp_of_32, false, false},   {Body::warp_of_64, false, false},
                        {Body::cells_by_one, false, false}, {Body::cells_by_four, false, false}};

/// What the launcher of the .cu file does, on the host, with short lists of sources.
template <class K, int warp, int tile, class T, class A>
void run_warps(Buffers const& buffers, P2PArgs const& args) {
  using Program = P2PTeam<K, T, warp, tile, A>;
  P2PBuffers<T, A> const b(buffers);
  auto const launch = P2PLaunch<T>::of(b, args);
  std::vector<typename Program::Memory> memory(1);
  LaunchList<SourceView<A>> list;
  do {
    list.count = std::min(5, args.neighbours.count() - list.first);
    for (int i = 0; i < list.count; ++i) list.item[i] = b.source(list.first + i);
    HostWarp<typename Program::State> threads(warp);
    for (int block = 0; block < Program::blocks(args.chunk); ++block) {
      std::memset(static_cast<void*>(memory.data()), 0xff, sizeof memory[0]);  // numbers that are none
      Program::run(threads, launch, list, block, memory[0]);
    }
    list.first += list.count;
  } while (list.first < args.neighbours.count());
}

/// The same cell by cell of targets, each by `slices` threads.
template <class K, int slices, bool shared, class T, class A>
void run_cells(Buffers const& buffers, P2PArgs const& args) {
  using Program = P2PCellTeam<K, T, A, slices, shared>;
  P2PBuffers<T, A> const b(buffers);
  auto const launch = P2PLaunch<T>::of(b, args);
  std::vector<typename Program::Memory> memory(1);
  in_lists_of<SourceView<A>>(
      5, args.neighbours.count(), [&](int i) { return b.source(i); },
      [&](auto const& sources) {
        HostTeam<typename Program::State> team(Program::threads);
        for (int cell = 0; cell < Program::blocks(args); ++cell) {
          std::memset(static_cast<void*>(memory.data()), 0xff, sizeof memory[0]);  // numbers that are none
          Program::run(team, {launch, sources}, cell, memory.data());
        }
      });
}

/// The near part by the tasks that a solve would have, two shares for each block: rows of results, block after block.
template <class T, class K, class A>
struct NearPart {
  static constexpr int row = result_row(K::results);
  struct MutualContribution {
    int from, to;
    AlignedVector<T> rows;
  };
  Cells const& cells;
  EwaldTables<T>& tables;
  BlockedSet<T>& set;
  std::vector<AlignedVector<T>> result;

  /// `same`: the bodies are told that the targets are the sources.
  NearPart(Cells const& cells_, EwaldTables<T>& tables_, BlockedSet<T>& set_, Body body, bool same, bool contributions)
      : cells(cells_), tables(tables_), set(set_) {
    std::vector<MutualContribution> found;
    for (int b = 0; b < cells.block_count(); ++b) {
      auto const& target = set.block[std::size_t(b)];
      result.emplace_back(std::size_t(row) * target.stride, T(-1));
      for (PointRange const chunk : two_chunks(int(target.count))) add(b, chunk, body, same, contributions, found);
    }
    if (contributions)
      for (int b = 0; b < cells.block_count(); ++b)
        for (PointRange const chunk : two_chunks(int(set.block[std::size_t(b)].count))) reduce(b, chunk, found);
  }

 private:
  void add(int b, PointRange chunk, Body body, bool same, bool contributions, std::vector<MutualContribution>& found) {
    Block const block = block_at(cells, b);
    auto& target = set.block[std::size_t(b)];
    Neighbours const around = neighbours(cells, block);
    int const own = same ? around.place(block.at[0], block.at[1], block.at[2]) : -1;
    P2PArgs const args{cells, block, chunk, around, own, contributions};
    AlignedVector<T> part(std::size_t(row) * std::size_t(chunk.count()), T(7));
    LocalBuffers buffers;
    buffers.access().add(&tables, 1).access().add(target.near).access().add(target.offset).access();
    for (int i = 0; i < around.count(); ++i) {
      auto& s = set.block[std::size_t(around.block(cells, i))];
      buffers.add(s.rough).add(s.offset).add(s.template packed_in<A>());
    }
    buffers.access().add(part).access();
    for (int i = 0; i < around.count() && contributions; ++i) {
      int const other = around.block(cells, i);
      if (!sums_for_both(cells, block, block_at(cells, other))) continue;
      found.push_back({b, other, AlignedVector<T>(std::size_t(row) * set.block[std::size_t(other)].stride, T(9))});
      buffers.add(found.back().rows);
    }
    switch (body) {
      case Body::portable: P2P<T, K, A>::portable(buffers.view(), args); break;
      case Body::tuned: P2P<T, K, A>::tuned(buffers.view(), args); break;
      case Body::warp_of_32: run_warps<K, 32, 8, T, A>(buffers.view(), args); break;
      case Body::warp_of_64: run_warps<K, 64, 4, T, A>(buffers.view(), args); break;
      case Body::cells_by_one: run_cells<K, 1, false, T, A>(buffers.view(), args); break;
      case Body::cells_by_four: run_cells<K, 4, true, T, A>(buffers.view(), args); break;
    }
    std::copy(part.begin(), part.end(), result[std::size_t(b)].begin() + std::ptrdiff_t(row) * chunk.first);
  }

  void reduce(int b, PointRange chunk, std::vector<MutualContribution>& found) {
    for (std::size_t next = 0; next < found.size();) {
      ReduceArgs args{cells, block_at(cells, b), chunk, row, {}};
      LocalBuffers buffers;
      buffers.access().add(set.block[std::size_t(b)].offset).access();
      for (int count = 0; next < found.size() && count < max_contributions; ++next) {
        if (found[next].to != b) continue;
        args.from[count++] = block_at(cells, found[next].from);
        buffers.add(found[next].rows);
      }
      buffers.access().add(result[std::size_t(b)].data() + std::ptrdiff_t(row) * chunk.first,
                           std::size_t(row) * std::size_t(chunk.count()));
      Reduce<T>::portable(buffers.view(), args);
    }
  }
};

/// `every`: of how many targets one is checked. `apart`: how far points are that come in pairs.
template <class T, class K, class A = T>
void check(Cells cells, int points, double tolerance, std::size_t every = 1, double apart = 0) {
  CAPTURE(cells.blocks[0]);
  CAPTURE(cells.count[0]);
  Profile const profile(Split::pswf, 20, cells.cutoff);
  EwaldTables<T> tables;
  tables.near = make_near_kernel<T>(profile, K::near_layers, 1e-13);
  tables.near_single = make_near_kernel<float>(profile, K::near_layers, 1e-13);
  BlockedSet<T> set(cells, points, K::strengths, 7, apart);
  using Part = NearPart<T, K, A>;
  Part const portable(cells, tables, set, Body::portable, false, false);
  std::vector<Part> others;
  for (Way const& way : ways)
    if (way.body == Body::tuned || !only_simd())
      others.emplace_back(cells, tables, set, way.body, way.same, way.contributions);
  double error = 0, size = 0, difference[std::size(ways)] = {};
  for (int b = 0; b < cells.block_count(); ++b)
    for (std::size_t i = 0; i < set.block[std::size_t(b)].count; i += every) {
      auto const of = [&](Part const& part, std::size_t m) {
        return double(part.result[std::size_t(b)][i * Part::row + m]);
      };
      std::array<double, max_results> exact{};
      if (only_simd()) {
        for (std::size_t m = 0; m < std::size_t(K::results); ++m) exact[m] = of(portable, m);
      } else {
        exact = direct<K>(cells, profile, set.near_point[std::size_t(set.first[std::size_t(b)]) + i], set);
      }
      for (std::size_t m = 0; m < std::size_t(K::results); ++m) {
        error += std::pow(of(portable, m) - exact[m], 2);
        for (std::size_t n = 0; n < others.size(); ++n)
          difference[n] += std::pow(of(others[n], m) - of(portable, m), 2);
        size += exact[m] * exact[m];
      }
    }
  CHECK(std::sqrt(error / size) < tolerance);
  for (double const d : difference) CHECK(std::sqrt(d / size) < tolerance);
}

Cells make(std::array<double, 3> edge, std::array<int, 3> count, std::array<int, 3> blocks, double cutoff) {
  Cells c;
  for (std::size_t d = 0; d < 3; ++d) {
    c.edge[d] = c.face[d] = edge[d];
    c.count[d] = count[d];
    c.blocks[d] = blocks[d];
  }
  c.cutoff = cutoff;
  return c;
}

/// Of sums in single precision inside double ones, strengths rounded like all else.
constexpr double in_single = 1e-6;

template <class K>
void check_all() {
  struct Case {
    std::array<double, 3> edge;
    std::array<int, 3> count, blocks;
    double cutoff;
  };
  for (auto const& c : {Case{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, 0.5},       // one cell: every image by a shift
                        Case{{1, 1, 1}, {2, 3, 4}, {2, 1, 4}, 0.7},       // cutoff beyond half the box
                        Case{{1, 1.2, 0.9}, {8, 9, 7}, {3, 4, 1}, 0.21},  // pencils
                        Case{{1, 1.2, 0.9}, {8, 9, 7}, {8, 9, 7}, 0.21},  // a block for every cell
                        Case{{2, 1, 30}, {4, 2, 60}, {1, 2, 7}, 0.5},     // long
                        Case{{1, 1, 1}, {3, 3, 60}, {1, 1, 60}, 0.5}}) {  // more stretches than are kept at once
    check<double, K>(make(c.edge, c.count, c.blocks, c.cutoff), 120, 1e-12);
    check<float, K>(make(c.edge, c.count, c.blocks, c.cutoff), 120, 3e-6);
    check<double, K, float>(make(c.edge, c.count, c.blocks, c.cutoff), 120, in_single);
    for (int free : {1, 3}) {
      Cells cells = make(c.edge, c.count, c.blocks, c.cutoff);
      for (int d = 0; d < free; ++d) cells.periodic[d] = false;
      check<double, K>(cells, 120, 1e-12);
    }
  }
  // As close as double precision can tell two points apart, and so close that powers of it are beyond single precision.
  for (double apart : {1e-2, 1e-3, 3e-4, 1e-4, 1e-5, 1e-7, 1e-9, 1e-12, 1e-15}) {
    CAPTURE(apart);
    check<double, K, float>(make({1, 1, 1}, {4, 4, 4}, {2, 2, 2}, 0.3), 60, in_single, 1, apart);
    check<double, K, float>(make({1, 1, 1}, {1, 1, 1}, {1, 1, 1}, 0.4), 2, in_single, 1, apart);
  }
}

}  // namespace

TEST_CASE("p2p: portable against all pairs and images, tuned and threads of a GPU against portable") {
  Runtime const runtime;  // the portable bodies run through its Kokkos
  SUBCASE("stokeslet") { check_all<Stokeslet>(); }
  SUBCASE("stresslet") { check_all<Stresslet>(); }
  SUBCASE("stokes") { check_all<Stokes>(); }
  SUBCASE("laplace") { check_all<Laplace>(); }
  SUBCASE("laplace with gradient") { check_all<LaplaceGradient>(); }
  SUBCASE("stokes with pressure") { check_all<StokesPressure>(); }
  SUBCASE("stokes with pressure and gradient") { check_all<StokesGradient>(); }
  SUBCASE("rotlet with pressure and gradient") { check_all<RotletGradient>(); }
  SUBCASE("doublet with pressure and gradient") { check_all<DoubletGradient>(); }
  SUBCASE("charge and dipole with gradient and Hessian") { check_all<ChargeDipoleHessian>(); }
}

TEST_CASE("p2p: more sources near a tile of targets than are summed at once") {
  Runtime const runtime;  // the portable bodies run through its Kokkos
  Cells c = make({1, 1, 1}, {1, 1, 4}, {1, 1, 2}, 1.8);
  for (bool& periodic : c.periodic) periodic = false;
  check<double, Laplace>(c, 1300, 1e-12, 60);
  check<float, Laplace>(c, 1300, 3e-6, 60);
  check<double, Laplace, float>(c, 1300, in_single, 60);
}

TEST_CASE("p2p: empty blocks and a block of one point") {
  Runtime const runtime;  // the portable bodies run through its Kokkos
  Cells const c = make({1, 1, 1}, {6, 6, 6}, {6, 6, 1}, 0.2);
  check<double, Stokeslet>(c, 1, 1e-12);
  check<double, Stokes>(c, 3, 1e-12);
  check<double, LaplaceGradient>(c, 3, 1e-12);
  check<double, Stokes, float>(c, 3, in_single);
}
