// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/cells.hpp"
#include "core/constants.hpp"
#include "core/window.hpp"

#include <cmath>

namespace nearfar {

inline constexpr int max_paddings = 16;

/// How long the transforms of some modes are along our axes 0 and 1. Where an axis is free, the grid is followed by
/// zeros up to that length; modes that vary quickly along the periodic axes need few of them, for their fields decay
/// quickly.
struct Padding {
  int size[2] = {1, 1};
  int first_z = 0;            ///< axis 1 free: the modes along axis 2 from this one on have this padding
  double lowest_squared = 0;  ///< only axis 0 free: the columns with this k_1^2 + k_2^2 or more have this padding
};

/// One (y, z) mode of the planes.
struct ModeColumn {
  int y, z;
  int padding;  ///< number of its padding
};

/// The Fourier grid and how it is cut: slabs of x-planes before and after the transposes, groups of (y, z) columns
/// between them, and a tile where a slab and a group meet. Plain data: it travels inside task arguments. Axes are ours,
/// here called x, y, z: the first `free` of them do not repeat (core/axes.hpp). The grid then covers more than the box,
/// so that no window ever leaves it, and is zero-padded when it is transformed.
///
/// A slab holds [component][x][y][z] with halo rows and columns at the upper end, so that a window that starts in the
/// box never has to be wrapped in y or z: the P2G task folds the halo, the inverse FFT fills it.
///
/// Columns are numbered [section][y][z]: a section holds the z modes that share a padding along y.
struct Grid {
  double edge[3] = {1, 1, 1};
  int size[3] = {1, 1, 1};
  double offset[3] = {0, 0, 0};  ///< of the box in the grid, in grid units
  int window = 4;                ///< P
  int slabs = 1;
  int columns = 1;      ///< groups of columns
  int free = 0;         ///< directions; where all three are, z is padded like y
  int row_padding = 1;  ///< length of the transforms along z, if that is free
  int paddings = 1;
  Padding
      padding[max_paddings];  ///< where a direction is free, number 0 is for k = 0 alone; after it, the longest first

  NEARFAR_FUNCTION int first_plane(int slab) const { return int((long long)(slab)*size[0] / slabs); }
  NEARFAR_FUNCTION int planes(int slab) const { return first_plane(slab + 1) - first_plane(slab); }
  NEARFAR_FUNCTION int slab_of(int plane) const { return int(((long long)(plane + 1) * slabs - 1) / size[0]); }

  /// Rows and row lengths are odd multiples of their unit, so that the rows of a window do not all fall into the same
  /// few sets of a cache (a grid of 224 was ten times slower to spread to with rows of 256).
  NEARFAR_FUNCTION int rows() const { return (size[1] + window) | 1; }
  /// Room for whole SIMD vectors that begin in the box.
  NEARFAR_FUNCTION int row_length() const { return 16 * (((size[2] + window_row + 15) / 16) | 1); }
  NEARFAR_FUNCTION long long plane_size() const { return (long long)(rows()) * row_length(); }

  NEARFAR_FUNCTION int row_transform() const { return free == 3 ? row_padding : size[2]; }
  NEARFAR_FUNCTION int modes_z() const { return row_transform() / 2 + 1; }
  NEARFAR_FUNCTION int sections() const { return free == 2 ? paddings : 1; }
  NEARFAR_FUNCTION int section_z(int s) const { return s < sections() ? padding[s].first_z : modes_z(); }
  NEARFAR_FUNCTION int section_width(int s) const { return section_z(s + 1) - section_z(s); }
  NEARFAR_FUNCTION int section_columns(int s) const { return padding[s].size[1] * section_width(s); }
  NEARFAR_FUNCTION int column_count() const {
    int count = 0;
    for (int s = 0; s < sections(); ++s) count += section_columns(s);
    return count;
  }
  NEARFAR_FUNCTION int first_column(int group) const { return int((long long)(group)*column_count() / columns); }
  NEARFAR_FUNCTION int columns_in(int group) const { return first_column(group + 1) - first_column(group); }

  NEARFAR_FUNCTION ModeColumn column(int number) const {
    int s = 0;
    for (; number >= section_columns(s); ++s) number -= section_columns(s);
    int const y = number / section_width(s), z = section_z(s) + number % section_width(s);
    return {y, z, free == 1 ? padding_of(y, z) : s};
  }

  /// Length of the transforms along an axis.
  NEARFAR_FUNCTION int transform(int d, int padding_number) const {
    return d < 2 ? padding[padding_number].size[d] : row_transform();
  }
  /// Grid points per length; the box begins at `offset`.
  NEARFAR_FUNCTION double scale(int d) const { return size[d] / edge[d]; }
  /// 2 pi over the length that a transform of n points covers.
  NEARFAR_FUNCTION double mode_unit(int d, int n) const { return 2 * pi<double> * scale(d) / n; }

 private:
  NEARFAR_FUNCTION int padding_of(int y, int z) const {
    double const ky = mode_unit(1, size[1]) * (2 * y <= size[1] ? y : y - size[1]), kz = mode_unit(2, size[2]) * z;
    double const squared = (ky * ky + kz * kz) * (1 + 1e-12);
    int p = 0;
    while (p + 1 < paddings && squared >= padding[p + 1].lowest_squared) ++p;
    return p;
  }
};

/// Slabs that the windows of points with x in [low, high] touch.
NEARFAR_FUNCTION CyclicRange slabs_of(Grid const& grid, double low, double high) {
  int const first = int(std::floor(low * grid.scale(0) + grid.offset[0] - 0.5 * grid.window));
  int const last = int(std::ceil(high * grid.scale(0) + grid.offset[0] + 0.5 * grid.window));
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
