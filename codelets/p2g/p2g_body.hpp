// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/grid.hpp"
#include "core/near_pair.hpp"
#include "core/window.hpp"

#include <cstdint>

namespace nearfar {

/// What a P2G task is told beside its buffers.
struct P2GArgs {
  Grid grid;
  Cells cells;
  int slab = 0;
  CyclicRange blocks;  ///< along x; all blocks along y and z
  int components = 1;
};

/// Where a point's window lies in one direction: it covers first, first + 1, ... first + P - 1 (first in [0, M), the rest
/// in the halo), and its values are the window's polynomials at `s`.
template <class T>
struct Footprint {
  int first;
  T s;
};

/// Positions are scaled in double, so that single precision loses nothing on large grids.
template <class T>
NEARFAR_FUNCTION Footprint<T> footprint(Grid const& grid, int d, T x) {
  double const left = double(x) * grid.scale(d) + grid.offset[d] - 0.5 * grid.window;
  double const first = ceil(left);
  int const i = int(first);
  return {i < 0 ? i + grid.size[d] : (i >= grid.size[d] ? i - grid.size[d] : i), T(2 * (first - left) - 1)};
}

/// Value i of the window (or of its slope) at s.
template <class T>
NEARFAR_FUNCTION T window_at(T const (*rows)[window_row], int degree, int i, T s) {
  T sum = rows[degree][i];
  for (int d = degree - 1; d >= 0; --d) sum = sum * s + rows[d][i];
  return sum;
}

/// Adds a slab plane's halo to the rows and columns it stands for.
template <class T>
NEARFAR_FUNCTION void fold_halo(Grid const& grid, T* plane) {
  int const length = grid.row_length();
  for (int y = 0; y < grid.window; ++y)
    for (int z = 0; z < length; ++z) plane[y * length + z] += plane[(grid.size[1] + y) * length + z];
  for (int y = 0; y < grid.size[1]; ++y)
    for (int z = 0; z < grid.window; ++z) plane[y * length + z] += plane[y * length + grid.size[2] + z];
}

}  // namespace nearfar
