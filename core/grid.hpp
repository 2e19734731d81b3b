// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/cells.hpp"
#include "core/window.hpp"

#include <cmath>

namespace nearfar {

/// The Fourier grid and how it is cut: slabs of x-planes before and after the transposes, groups of (y, z) columns between
/// them, and a tile where a slab and a group meet. Plain data: it travels inside task arguments.
///
/// A slab holds [component][x][y][z] with halo rows and columns at the upper end, so that a window that starts in the box
/// never has to be wrapped in y or z: the P2G task folds the halo, the inverse FFT fills it.
struct Grid {
  double edge[3] = {1, 1, 1};
  int size[3] = {1, 1, 1};
  int window = 4;   ///< P
  int slabs = 1;
  int columns = 1;  ///< groups of columns

  NEARFAR_FUNCTION int first_plane(int slab) const { return int((long long)(slab)*size[0] / slabs); }
  NEARFAR_FUNCTION int planes(int slab) const { return first_plane(slab + 1) - first_plane(slab); }
  NEARFAR_FUNCTION int slab_of(int plane) const { return int(((long long)(plane + 1) * slabs - 1) / size[0]); }

  /// Rows and row lengths are odd multiples of their unit, so that the rows of a window do not all fall into the same few
  /// sets of a cache (a grid of 224 was ten times slower to spread to with rows of 256).
  NEARFAR_FUNCTION int rows() const { return (size[1] + window) | 1; }
  /// Room for whole SIMD vectors that begin in the box.
  NEARFAR_FUNCTION int row_length() const { return 16 * (((size[2] + window_row + 15) / 16) | 1); }
  NEARFAR_FUNCTION long long plane_size() const { return (long long)(rows()) * row_length(); }

  NEARFAR_FUNCTION int modes_z() const { return size[2] / 2 + 1; }
  NEARFAR_FUNCTION int column_count() const { return size[1] * modes_z(); }
  NEARFAR_FUNCTION int first_column(int group) const { return int((long long)(group)*column_count() / columns); }
  NEARFAR_FUNCTION int columns_in(int group) const { return first_column(group + 1) - first_column(group); }

  /// A coordinate in grid units.
  NEARFAR_FUNCTION double scale(int d) const { return size[d] / edge[d]; }
};

/// Slabs that the windows of points with x in [low, high] touch.
NEARFAR_FUNCTION CyclicRange slabs_of(Grid const& grid, double low, double high) {
  int const first = int(std::floor(low * grid.scale(0) - 0.5 * grid.window));
  int const last = int(std::ceil(high * grid.scale(0) + 0.5 * grid.window));
  int const n = grid.slabs;
  if (last - first + 1 >= grid.size[0]) return {0, n, n};
  int const a = wrap(first, grid.size[0]), b = wrap(last, grid.size[0]);
  int const sa = grid.slab_of(a), sb = grid.slab_of(b);
  if (sa == sb && a > b) return {0, n, n};
  return {sa, sb >= sa ? sb - sa + 1 : sb - sa + 1 + n, n};
}

/// Slabs that a block's points touch.
NEARFAR_FUNCTION CyclicRange slabs_of_block(Grid const& grid, Cells const& cells, Block const& block) {
  double const edge = cells.cell_edge(0);
  return slabs_of(grid, cells.first_cell(0, block.at[0]) * edge, cells.first_cell(0, block.at[0] + 1) * edge);
}

/// Blocks along x whose points touch a slab: the transpose of slabs_of_block.
inline CyclicRange blocks_of_slab(Grid const& grid, Cells const& cells, int slab) {
  int const n = cells.blocks[0];
  auto touches = [&](int x) {
    CyclicRange const slabs = slabs_of_block(grid, cells, {{wrap(x, n), 0, 0}});
    return slabs.place(slab) < slabs.count;
  };
  CyclicRange range{0, 0, n};
  for (int x = 0; x < n; ++x) {
    if (!touches(x)) continue;
    ++range.count;
    if (!touches(x - 1)) range.first = x;
  }
  return range;
}

}  // namespace nearfar
