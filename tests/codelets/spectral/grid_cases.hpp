// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/g2p/g2p.hpp"
#include "codelets/spectral/g2p/g2p_buffers.hpp"
#include "codelets/spectral/p2g/p2g.hpp"
#include "codelets/spectral/tables.hpp"
#include "core/kernels/description/description.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/local_buffers.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <doctest/doctest.h>
#include <functional>

// P2G and G2P tasks of all kinds, by which bodies are compared with the portable ones.
namespace nearfar::test {

struct GridCase {
  int grid[3];
  int window, slabs;
  int cells[3], blocks[3];
  int points;
  bool free = false;
  Window shape = Window::kaiser_bessel;
  int halo_planes = 0, halo_cells = 0;
  bool skewed = false;
};

constexpr GridCase grid_cases[] = {
    {{16, 18, 20}, 4, 3, {5, 5, 5}, {2, 3, 1}, 40},
    {{8, 8, 8}, 8, 1, {1, 1, 1}, {1, 1, 1}, 33},      // the window as wide as the grid, one cell
    {{20, 10, 24}, 6, 20, {6, 4, 9}, {4, 1, 2}, 41},  // slabs of one plane
    {{30, 24, 22}, 13, 4, {4, 4, 4}, {4, 4, 4}, 70},
    {{24, 24, 24}, 20, 2, {3, 2, 1}, {3, 1, 1}, 20},
    {{36, 34, 40}, 8, 1, {12, 11, 13}, {1, 1, 1}, 900},
    {{36, 34, 40}, 8, 1, {12, 11, 13}, {1, 1, 1}, 0},
    {{36, 34, 40}, 7, 2, {12, 11, 13}, {2, 3, 2}, 1},
    {{40, 36, 34}, 10, 1, {8, 9, 7}, {2, 2, 3}, 300, true},
    {{20, 18, 24}, 12, 1, {9, 2, 30}, {2, 2, 4}, 200, false, Window::gaussian},
    {{36, 18, 20}, 6, 6, {14, 4, 4}, {6, 1, 1}, 300, false, Window::kaiser_bessel, 5, 2},
    {{24, 20, 22}, 6, 3, {6, 5, 5}, {2, 2, 1}, 120, false, Window::kaiser_bessel, 0, 0, true}};

inline Grid make_grid(GridCase const& c) {
  Grid g;
  double const edge[3] = {1, 1.2, 0.9};
  for (int d = 0; d < 3; ++d) {
    double const box = c.free ? double(c.grid[d] - c.window - 4) / c.grid[d] : 1;
    g.layout.edge[d] = edge[d] / box;
    g.layout.size[d] = c.grid[d];
    g.offset[d] = c.free ? 0.5 * c.window + 2 : 0;
  }
  g.set_window(c.window);
  g.layout.slabs = c.slabs;
  g.layout.halo = c.halo_planes;
  if (c.skewed) {  // 60 degrees between two rows
    constexpr double slant[3][3] = {{1, -0.577, 0.1}, {0, 1.155, 0.2}, {-0.3, 0, 1.1}};
    g.layout.skewed = true;
    std::copy_n(&slant[0][0], 9, &g.layout.slant[0][0]);
  }
  return g;
}

inline Cells make_cells(GridCase const& c) {
  Cells cells;
  double const edge[3] = {1, 1.2, 0.9};
  for (int d = 0; d < 3; ++d) {
    cells.edge[d] = edge[d];
    cells.count[d] = c.cells[d];
    cells.blocks[d] = c.blocks[d];
    cells.periodic[d] = !c.free;
  }
  cells.cutoff = 0.2;
  cells.halo = c.halo_cells;
  return cells;
}

template <class T>
EwaldTables<T> make_tables(GridCase const& c, int slopes = 1) {
  EwaldTables<T> tables;
  WindowShape const shape{c.shape, c.window, (c.shape == Window::gaussian ? 1.3 : 2.1) * c.window, slopes};
  tables.window = make_window_table<T>(shape, 1e-14);
  return tables;
}

/// Relative difference of what is where `a` and `b` are to be equal.
struct Difference {
  double error = 0, size = 0;

  void add(double a, double b) {
    error += (a - b) * (a - b);
    size += b * b;
  }
  double relative() const { return error > 0 ? std::sqrt(error / size) : 0; }
};

/// How a task is run: a stage in single precision finds the same where the same positions come in double.
enum Run { portable, other, other_with_double_positions, runs };

template <class T>
AlignedVector<double>& in_double(AlignedVector<T> const& position, std::deque<AlignedVector<double>>& copies) {
  return copies.emplace_back(position.begin(), position.end());
}

/// What runs a task in another way.
template <class Args>
using Body = std::function<void(Buffers const&, Args const&)>;

inline constexpr auto plain = Spreading::plain, layers = Spreading::double_layer, dipoles = Spreading::dipoles;

/// Numbers of a grid point, and strengths before those of the layer.
inline int spread_components(Spreading s, int strengths) {
  return s == Spreading::plain ? strengths : s == Spreading::dipoles ? 1 : s == Spreading::force_dipoles ? 3 : 4;
}
inline int strengths_before(Spreading s, int strengths) {
  if (s == Spreading::plain || s == Spreading::force_dipoles) return 0;
  return strengths - (s == Spreading::dipoles ? 3 : 6);
}

template <class T, Spreading S>
void check_spread(GridCase const& c, int strengths, double tolerance, Body<P2GArgs> const& body) {
  CAPTURE(c.window);
  CAPTURE(c.points);
  Grid const g = make_grid(c);
  Cells const cells = make_cells(c);
  BlockedSet<T> set(cells, c.points, strengths, 3);
  auto tables = make_tables<T>(c);
  Difference difference;
  for (int s = 0; s < g.layout.slabs; ++s) {
    P2GArgs args{
        g, cells, s, blocks_of_slab(g, cells, s), spread_components(S, strengths), strengths_before(S, strengths)};
    AlignedVector<T> slab[runs];
    for (int which = portable; which < (sizeof(T) == 4 ? runs : other_with_double_positions); ++which) {
      std::deque<AlignedVector<double>> copies;
      args.double_positions = which == other_with_double_positions;
      slab[which].assign(std::size_t(args.components * g.layout.planes(s) * g.layout.plane_size()), T(-3));
      LocalBuffers buffers;
      buffers.access().add(&tables, 1).access();
      for (int x = 0; x < args.blocks.count; ++x)
        for (int yz = 0; yz < cells.blocks[1] * cells.blocks[2]; ++yz) {
          auto& b = set.block[std::size_t(block_number(cells, args.blocks.item(x), 0, yz))];
          if (args.double_positions) buffers.add(in_double(b.position, copies));
          else buffers.add(b.position);
          buffers.add(b.offset).add(b.strength);
        }
      buffers.access().add(slab[which]);
      if (which == portable) P2G<T, S>::portable(buffers.view(), args);
      else body(buffers.view(), args);
    }
    for (int m = 0; m < args.components * g.layout.planes(s); ++m)
      for (int y = 0; y < g.layout.size[1]; ++y)
        for (int z = 0; z < g.layout.size[2]; ++z) {
          auto const i = std::size_t(m * g.layout.plane_size() + y * g.layout.row_length + z);
          for (int which = other; which < runs && !slab[which].empty(); ++which)
            difference.add(slab[which][i], slab[portable][i]);
        }
  }
  CHECK(difference.relative() < tolerance);
}

/// What launchers for GPUs do last: derivatives along the rows of a skewed cell become those along the axes.
template <class K, class T>
void turn(G2PBuffers<T> const& b, G2PArgs const& args) {
  if (K::Gather::slopes && args.grid.layout.skewed)
    for (int t = 0; t < args.chunk.count(); ++t)
      turn_gathered<typename K::Gather>(args.grid.layout, b.result + t, b.result_stride);
}

template <class T, class K>
void check_gather(GridCase const& c, double tolerance, Body<G2PArgs> const& body) {
  CAPTURE(c.window);
  CAPTURE(c.points);
  constexpr int components = K::Far::out, results = K::results;
  Grid const g = make_grid(c);
  Cells const cells = make_cells(c);
  BlockedSet<T> set(cells, c.points, components, 5);
  auto tables = make_tables<T>(c, K::Gather::seconds ? 2 : 1);
  std::vector<AlignedVector<T>> slabs;
  for (int s = 0; s < g.layout.slabs; ++s) {
    slabs.emplace_back(std::size_t(components * g.layout.planes(s) * g.layout.plane_size()));
    T* node = slabs.back().data();
    for (int plane = 0; plane < components * g.layout.planes(s); ++plane)
      for (int y = 0; y < g.layout.rows; ++y)
        for (int z = 0; z < g.layout.row_length; ++z)  // planes repeat themselves
          *node++ = T(std::sin(1.0 + 3.0 * s + 1e3 * plane + 30 * (y % g.layout.size[1]) + z % g.layout.size[2]));
  }
  Difference difference;
  for (int b = 0; b < cells.block_count(); ++b) {
    auto& target = set.block[std::size_t(b)];
    for (PointRange const chunk : two_chunks(int(target.count))) {
      G2PArgs args{g, slabs_of_block(g, cells, block_at(cells, b)), chunk, cells, block_at(cells, b)};
      AlignedVector<T> result[runs];
      for (int which = portable; which < (sizeof(T) == 4 ? runs : other_with_double_positions); ++which) {
        std::deque<AlignedVector<double>> copies;
        args.double_positions = which == other_with_double_positions;
        result[which].assign(std::size_t(results) * target.stride, T(-3));
        LocalBuffers buffers;
        buffers.access().add(&tables, 1).access();
        if (args.double_positions) buffers.add(in_double(target.position, copies));
        else buffers.add(target.position);
        buffers.access().add(target.offset).access();
        for (int i = 0; i < args.slabs.count; ++i) buffers.add(slabs[std::size_t(args.slabs.item(i))]);
        buffers.access().add(result[which]);
        if (which == portable) G2P<T, typename K::Gather>::portable(buffers.view(), args);
        else body(buffers.view(), args);
      }
      for (int which = other; which < runs; ++which)
        for (std::size_t i = 0; i < result[which].size(); ++i) difference.add(result[which][i], result[portable][i]);
    }
  }
  CHECK(difference.relative() < tolerance);
}

}  // namespace nearfar::test
