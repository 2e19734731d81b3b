// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/window/window.hpp"
#include "core/geometry/cells.hpp"
#include "core/spectral/layout.hpp"

#include <cmath>

namespace nearfar {

/// The Fourier grid as particles see it: the layout of its field, the windows for spreading
/// and gathering, and the place of the box. Plain data that travels inside task arguments.
/// Along free axes the grid extends beyond the box, so that no window ever leaves it.
///
/// The planes of the field have room after the last row and column, so that a window that starts in
/// the box never has to be wrapped in y or z: the P2G task folds this halo, the inverse FFT fills it.
struct Grid {
  SpectralLayout layout;
  double offset[3] = {0, 0, 0};  ///< of the box within the grid, in grid units
  int window = 4;                ///< P

  /// Makes room for windows of this many points.
  ///
  /// The number and the length of rows are odd multiples of their unit, so that the rows of a
  /// window do not all fall into the same few sets of a cache (spreading to a grid of 224 was ten
  /// times slower with rows of 256). A row has room for whole SIMD vectors that begin in the box.
  NEARFAR_FUNCTION void set_window(int points) {
    window = points;
    layout.ghosts = points;
    layout.rows = (layout.size[1] + points) | 1;
    layout.row_length = 16 * (((layout.size[2] + window_row + 15) / 16) | 1);
  }
};

/// Slabs touched by the windows of points with x in [low, high].
NEARFAR_FUNCTION CyclicRange slabs_of(Grid const& grid, double low, double high) {
  int const first = int(std::floor(low * grid.layout.scale(0) + grid.offset[0] - 0.5 * grid.window));
  int const last = int(std::ceil(high * grid.layout.scale(0) + grid.offset[0] + 0.5 * grid.window));
  int const n = grid.layout.slabs;
  if (last - first + 1 >= grid.layout.size[0]) return {0, n, n};
  int const a = wrap(first, grid.layout.size[0]), b = wrap(last, grid.layout.size[0]);
  int const sa = grid.layout.slab_of(a), sb = grid.layout.slab_of(b);
  if (sa == sb && a > b) return {0, n, n};
  return {sa, sb >= sa ? sb - sa + 1 : sb - sa + 1 + n, n};
}

/// Slabs touched by a block's points.
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
