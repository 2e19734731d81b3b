// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/g2p/g2p.hpp"
#include "codelets/spectral/p2g/p2g.hpp"
#include "codelets/spectral/tables.hpp"
#include "core/kernels/description/description.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/codelets/only_simd.hpp"

#include <nearfar/runtime.hpp>

#include <cmath>
#include <doctest/doctest.h>

using namespace nearfar;
using namespace nearfar::test;

namespace {

struct Case {
  int grid[3];
  int window, slabs;
  int blocks[3];
  Window shape = Window::kaiser_bessel;
};

constexpr Case cases[] = {{{16, 18, 20}, 4, 3, {2, 3, 1}},
                          {{8, 8, 8}, 8, 1, {1, 1, 1}},     // the window as wide as the grid
                          {{20, 8, 24}, 6, 20, {4, 1, 2}},  // slabs of one plane
                          {{30, 24, 20}, 13, 4, {4, 4, 4}},
                          {{24, 24, 24}, 20, 5, {3, 1, 1}},
                          {{20, 18, 24}, 12, 4, {2, 3, 1}, Window::gaussian},
                          {{24, 24, 20}, 17, 3, {2, 2, 2}, Window::gaussian}};

Grid make_grid(Case const& c) {
  Grid g;
  double const edge[3] = {1, 1.2, 0.9};
  for (int d = 0; d < 3; ++d) {
    g.layout.edge[d] = edge[d];
    g.layout.size[d] = c.grid[d];
  }
  g.set_window(c.window);
  g.layout.slabs = c.slabs;
  return g;
}

Cells make_cells(Case const& c, Grid const& g) {
  Cells cells;
  for (int d = 0; d < 3; ++d) {
    cells.edge[d] = g.layout.edge[d];
    cells.count[d] = 5;
    cells.blocks[d] = c.blocks[d];
  }
  cells.cutoff = 0.2;
  return cells;
}

WindowShape shape(Case const& c) {
  return {c.shape, c.window, (c.shape == Window::gaussian ? 1.3 : 2.1) * c.window, true};
}

/// The window's value for a point at x (grid units) and grid point g of a ring of n, summed over images.
double weight(WindowShape const& w, double x, int g, int n, bool slope) {
  double sum = 0;
  for (int image = -2; image <= 2; ++image) {
    double const t = (g + image * n - x) / (0.5 * w.points);
    if (std::abs(t) >= 1) continue;
    sum += slope ? window_derivative(w, t) / (0.5 * w.points) : window_value(w, t);
  }
  return sum;
}

double relative(double error, double size) { return std::sqrt(error / size); }

/// A point's window over the whole grid: values and slopes (by the grid point, in box units) in each direction.
struct PointWindow {
  std::vector<double> value[3], slope[3];

  PointWindow(Case const& c, Grid const& g, std::array<double, 3> const& point) {
    for (int d = 0; d < 3; ++d)
      for (int i = 0; i < g.layout.size[d]; ++i) {
        double const x = point[std::size_t(d)] * g.layout.scale(d);
        value[d].push_back(weight(shape(c), x, i, g.layout.size[d], false));
        slope[d].push_back(weight(shape(c), x, i, g.layout.size[d], true) * g.layout.scale(d));
      }
  }
  /// At one grid point, differentiated in direction `along` (or not: -1).
  double at(std::array<int, 3> const& place, int along) const {
    double product = 1;
    for (int d = 0; d < 3; ++d) product *= (d == along ? slope : value)[d][std::size_t(place[std::size_t(d)])];
    return product;
  }
};

/// What a point with these strengths spreads at a grid point, by the definition.
double spread(P2GArgs const& args, Spreading spreading, PointWindow const& window, double const* strength, int m,
              std::array<int, 3> const& place) {
  double const value = window.at(place, -1);
  if (spreading == Spreading::plain) return strength[m] * value;
  if (spreading == Spreading::dipoles) {
    double sum = args.forces > 0 ? strength[0] * value : 0;
    for (int d = 0; d < 3; ++d) sum -= strength[args.forces + d] * window.at(place, d);
    return sum;
  }
  if (spreading == Spreading::force_dipoles) {
    double sum = 0;
    for (int d = 0; d < 3; ++d) sum -= strength[3 * m + d] * window.at(place, d);
    return sum;
  }
  double const* q = strength + args.forces;
  double const* n = q + 3;
  if (m == 3) return (q[0] * n[0] + q[1] * n[1] + q[2] * n[2]) * value;
  double sum = args.forces > 0 ? strength[m] * value : 0;
  for (int d = 0; d < 3; ++d) sum += (q[m] * n[d] + n[m] * q[d]) * window.at(place, d);
  return sum;
}

/// `strengths`: 1 or 3 spread as they are, 6 or 9 as a double layer, 3 or 4 as dipoles, 9 as a force dipole.
template <class T, Spreading S>
void check_spread(Case const& c, int strengths, double tolerance) {
  Grid const g = make_grid(c);
  Cells const cells = make_cells(c, g);
  BlockedSet<T> set(cells, 40, strengths, 3);
  bool const dipoles = S == Spreading::dipoles, plain = S == Spreading::plain, forces = S == Spreading::force_dipoles;
  int const components = plain     ? strengths
                         : dipoles ? 1
                         : forces  ? 3
                                   : 4,
            before = plain || forces ? 0 : strengths - (dipoles ? 3 : 6);
  std::vector<PointWindow> windows;
  for (auto const& point : set.point) windows.emplace_back(c, g, point);
  EwaldTables<T> tables;
  tables.window = make_window_table<T>(shape(c), 1e-14);
  double error = 0, size = 0, difference = 0;
  for (int s = 0; s < g.layout.slabs; ++s) {
    P2GArgs const args{g, cells, s, blocks_of_slab(g, cells, s), components, before};
    AlignedVector<T> slab[2];
    for (int implementation : {0, 1}) {
      slab[implementation].assign(std::size_t(components * g.layout.planes(s) * g.layout.plane_size()), T(-3));
      LocalBuffers buffers;
      buffers.access().add(&tables, 1).access();
      for (int x = 0; x < args.blocks.count; ++x)
        for (int y = 0; y < cells.blocks[1]; ++y)
          for (int z = 0; z < cells.blocks[2]; ++z) {
            auto& b = set.block[std::size_t(block_number(cells, args.blocks.item(x), y, z))];
            buffers.add(b.position).add(b.offset).add(b.strength);
          }
      buffers.access().add(slab[implementation]);
      if (implementation == 0) P2G<T, S>::portable(buffers.view(), args);
      else P2G<T, S>::tuned(buffers.view(), args);
    }
    for (int m = 0; m < components; ++m)
      for (int p = 0; p < g.layout.planes(s); ++p)
        for (int y = 0; y < g.layout.size[1]; ++y)
          for (int z = 0; z < g.layout.size[2]; ++z) {
            auto const i =
                std::size_t((m * g.layout.planes(s) + p) * g.layout.plane_size() + y * g.layout.row_length + z);
            double exact = only_simd() ? double(slab[0][i]) : 0;
            for (std::size_t j = 0; j < set.point.size() && !only_simd(); ++j)
              exact += spread(args, S, windows[j], set.strength[j].data(), m, {g.layout.first_plane(s) + p, y, z});
            error += std::pow(double(slab[0][i]) - exact, 2);
            difference += std::pow(double(slab[1][i]) - double(slab[0][i]), 2);
            size += exact * exact;
          }
  }
  CHECK(relative(error, size) < tolerance);
  CHECK(relative(difference, size) < tolerance);
}

template <class T, class K>
void check_gather(Case const& c, double tolerance) {
  constexpr int components = K::Far::out, results = K::results;
  Grid const g = make_grid(c);
  Cells const cells = make_cells(c, g);
  BlockedSet<T> set(cells, 30, components, 5);
  EwaldTables<T> tables;
  tables.window = make_window_table<T>(shape(c), 1e-14);
  auto value = [](int m, int x, int y, int z) { return std::sin(1.0 + m + 3 * x + 5 * y + 7 * z); };
  std::vector<AlignedVector<T>> slabs;
  for (int s = 0; s < g.layout.slabs; ++s) {
    AlignedVector<T> slab(std::size_t(components * g.layout.planes(s) * g.layout.plane_size()), T(0));
    for (int m = 0; m < components; ++m)
      for (int p = 0; p < g.layout.planes(s); ++p)
        for (int y = 0; y < g.layout.rows; ++y)
          for (int z = 0; z < g.layout.size[2] + g.window; ++z)
            slab[std::size_t((m * g.layout.planes(s) + p) * g.layout.plane_size() + y * g.layout.row_length + z)] =
                T(value(m, g.layout.first_plane(s) + p, y % g.layout.size[1], z % g.layout.size[2]));
    slabs.push_back(std::move(slab));
  }
  double error = 0, size = 0, difference = 0;
  for (int b = 0; b < cells.block_count(); ++b) {
    auto& target = set.block[std::size_t(b)];
    AlignedVector<T> result[2];
    for (int implementation : {0, 1}) {
      result[implementation].assign(std::size_t(results) * target.stride, T(-3));
      for (PointRange const chunk : two_chunks(int(target.count))) {
        G2PArgs const args{g, slabs_of_block(g, cells, block_at(cells, b)), chunk, cells, block_at(cells, b)};
        AlignedVector<T> part(result[implementation].size());
        LocalBuffers buffers;
        buffers.access().add(&tables, 1).access().add(target.position).access().add(target.offset).access();
        for (int i = 0; i < args.slabs.count; ++i) buffers.add(slabs[std::size_t(args.slabs.item(i))]);
        buffers.access().add(part);
        if (implementation == 0) G2P<T, typename K::Gather>::portable(buffers.view(), args);
        else G2P<T, typename K::Gather>::tuned(buffers.view(), args);
        put(chunk, part, target.stride, result[implementation]);
      }
    }
    for (std::size_t i = 0; i < target.count; ++i) {
      PointWindow const window(c, g, set.point[std::size_t(set.first[std::size_t(b)]) + i]);
      for (int m = 0; m < results; ++m) {
        double const portable = double(result[0][std::size_t(m) * target.stride + i]);
        double exact = only_simd() ? portable : 0;
        int const number = m - components, slope = number < 0 ? -1 : number % 3,
                  component = number < 0 ? m : number / 3;
        double const sign = slope < 0 ? 1 : -1;  // the target moves the other way
        for (int x = 0; x < g.layout.size[0] && !only_simd(); ++x)
          for (int y = 0; y < g.layout.size[1]; ++y)
            for (int z = 0; z < g.layout.size[2]; ++z)
              exact += sign * window.at({x, y, z}, slope) * value(component, x, y, z);
        double const tuned = double(result[1][std::size_t(m) * target.stride + i]);
        error += std::pow(portable - exact, 2);
        difference += std::pow(tuned - portable, 2);
        size += exact * exact;
      }
    }
  }
  CHECK(relative(error, size) < tolerance);
  CHECK(relative(difference, size) < tolerance);
}

}  // namespace

TEST_CASE("p2g: portable against its definition, tuned against portable") {
  Runtime const runtime;  // the portable bodies run through its Kokkos
  for (auto const& c : cases) {
    CAPTURE(c.window);
    for (int strengths : {1, 3}) {
      check_spread<double, Spreading::plain>(c, strengths, 1e-9);
      check_spread<float, Spreading::plain>(c, strengths, 1e-5);
    }
    for (int strengths : {6, 9}) {
      check_spread<double, Spreading::double_layer>(c, strengths, 1e-8);
      check_spread<float, Spreading::double_layer>(c, strengths, 2e-5);
    }
    for (int strengths : {3, 4}) {
      check_spread<double, Spreading::dipoles>(c, strengths, 1e-8);
      check_spread<float, Spreading::dipoles>(c, strengths, 2e-5);
    }
    check_spread<double, Spreading::force_dipoles>(c, 9, 1e-8);
    check_spread<float, Spreading::force_dipoles>(c, 9, 2e-5);
  }
}

TEST_CASE("g2p: portable against its definition, tuned against portable") {
  Runtime const runtime;  // the portable bodies run through its Kokkos
  for (auto const& c : cases) {
    CAPTURE(c.window);
    check_gather<double, Stokeslet>(c, 1e-9);
    check_gather<double, Laplace>(c, 1e-9);
    check_gather<double, LaplaceGradient>(c, 1e-8);
    check_gather<float, LaplaceGradient>(c, 2e-5);
    check_gather<double, StokesletPressure>(c, 1e-9);
    check_gather<double, StokesletGradient>(c, 1e-8);
    check_gather<float, StokesletGradient>(c, 2e-5);
  }
}

TEST_CASE("slabs touch the blocks that touch them") {
  for (auto const& c : cases) {
    Grid const g = make_grid(c);
    Cells const cells = make_cells(c, g);
    for (int s = 0; s < g.layout.slabs; ++s) {
      CyclicRange const beside = blocks_of_slab(g, cells, s);
      for (int x = 0; x < cells.blocks[0]; ++x) {
        CyclicRange const touched = slabs_of_block(g, cells, {{x, 0, 0}});
        CHECK((touched.place(s) < touched.count) == (beside.place(x) < beside.count));
      }
    }
  }
}
