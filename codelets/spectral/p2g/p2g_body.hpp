// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/grid.hpp"
#include "core/ewald/split/near_pair.hpp"
#include "core/ewald/window/window_weights.hpp"
#include "core/kernels/split.hpp"

#include <cstdint>

namespace nearfar {

/// The arguments of a P2G task.
struct P2GArgs {
  Grid grid;
  Cells cells;
  int slab = 0;
  CyclicRange blocks;             ///< along x; all blocks along y and z
  int components = 1;             ///< to spread; with a double layer its 4, whatever the strengths are
  int forces = 0;                 ///< strengths before those of a double layer or a dipole: 3 or 1, or none
  bool double_positions = false;  ///< in a stage in single precision
};

/// A point's window along one direction: it covers first, first + 1, ... first + P - 1
/// (first in [0, M), the rest possibly in the halo), with the window's weights at `s`.
template <class T>
struct Footprint {
  int first;
  T s;
};

/// Positions are scaled in double, so that single precision loses nothing on large grids. `scale`
/// is that of the grid, passed in by those who place many points, because it takes a division.
///
/// Points that are on a node but for rounding all get the same window, which reaches slightly
/// beyond its end. If some got the window of one side and some that of the other, the steps
/// at its ends would be noise, also at long waves, where crystals have nothing to hide it.
template <class T>
NEARFAR_FUNCTION Footprint<T> footprint(Grid const& grid, int d, double x, double scale) {
  double const left = x * scale + grid.offset[d] - 0.5 * grid.window;
  constexpr double hair = 1e-5;
  double const first = ceil(left - hair);
  int const i = int(first);
  return {i < 0 ? i + grid.layout.size[d] : (i >= grid.layout.size[d] ? i - grid.layout.size[d] : i),
          T(2 * (first - left) - 1)};
}
template <class T>
NEARFAR_FUNCTION Footprint<T> footprint(Grid const& grid, int d, double x) {
  return footprint<T>(grid, d, x, grid.layout.scale(d));
}

/// What a point spreads by the window and its slopes (Spreading): of the components, the first few have slopes.
template <class T, Spreading>
struct Layers;

/// Of the Stokes double layer (ewald.md, Sec. 5.4): the vector, and the scalar q.n.
template <class T>
struct Layers<T, Spreading::double_layer> {
  static constexpr int components = 4, sloped = 3;
  T value[4];     ///< times W: the components of f, and q.n
  T slope[3][3];  ///< [component][direction], times the derivative of W in units of the spacing

  /// The first strength of the point, and the stride of strengths.
  NEARFAR_FUNCTION void set(Grid const& grid, T const* strength, std::int64_t stride, int forces) {
    T const* const q = strength + forces * stride;
    T const* const n = q + 3 * stride;
    value[3] = q[0] * n[0] + q[stride] * n[stride] + q[2 * stride] * n[2 * stride];
    for (int m = 0; m < 3; ++m) {
      value[m] = forces > 0 ? strength[m * stride] : T(0);
      for (int d = 0; d < 3; ++d)
        slope[m][d] = T(grid.layout.scale(d)) * (q[m * stride] * n[d * stride] + n[m * stride] * q[d * stride]);
    }
    if (grid.layout.skewed) lean(grid.layout, q, n, stride);
  }

 private:
  /// The slopes in a skewed cell, where directions of the grid are those of its rows.
  NEARFAR_FUNCTION void lean(SpectralLayout const& l, T const* q, T const* n, std::int64_t stride) {
    for (int d = 0; d < 3; ++d) {
      T const along_q = l.along_row(d, q, stride), along_n = l.along_row(d, n, stride);
      for (int m = 0; m < 3; ++m) slope[m][d] = T(l.scale(d)) * (q[m * stride] * along_n + n[m * stride] * along_q);
    }
  }
};

/// Of a dipole, and of the charge before it.
template <class T>
struct Layers<T, Spreading::dipoles> {
  static constexpr int components = 1, sloped = 1;
  T value[1], slope[1][3];

  NEARFAR_FUNCTION void set(Grid const& grid, T const* strength, std::int64_t stride, int charges) {
    T const* const p = strength + charges * stride;
    value[0] = charges > 0 ? strength[0] : T(0);
    SpectralLayout const& l = grid.layout;
    for (int d = 0; d < 3; ++d) slope[0][d] = -T(l.scale(d)) * (l.skewed ? l.along_row(d, p, stride) : p[d * stride]);
  }
};

/// Of a force dipole D.
template <class T>
struct Layers<T, Spreading::force_dipoles> {
  static constexpr int components = 3, sloped = 3;
  T value[3], slope[3][3];

  NEARFAR_FUNCTION void set(Grid const& grid, T const* strength, std::int64_t stride, int) {
    SpectralLayout const& l = grid.layout;
    for (int m = 0; m < 3; ++m) {
      T const* const row = strength + 3 * m * stride;
      value[m] = T(0);
      for (int d = 0; d < 3; ++d)
        slope[m][d] = -T(l.scale(d)) * (l.skewed ? l.along_row(d, row, stride) : row[d * stride]);
    }
  }
};

// clang-format off
/// X(T, Spreading) for each precision.
#define NEARFAR_EACH_SPREADING(X)                                                            \
  X(double, Spreading::plain) X(float, Spreading::plain)                                     \
  X(double, Spreading::double_layer) X(float, Spreading::double_layer)                       \
  X(double, Spreading::dipoles) X(float, Spreading::dipoles)                                 \
  X(double, Spreading::force_dipoles) X(float, Spreading::force_dipoles)
// clang-format on

/// Adds the halo of a slab's plane to the rows and columns that it stands for.
template <class T>
NEARFAR_FUNCTION void fold_halo(Grid const& grid, T* plane) {
  int const length = grid.layout.row_length;
  for (int y = 0; y < grid.window; ++y)
    for (int z = 0; z < length; ++z) plane[y * length + z] += plane[(grid.layout.size[1] + y) * length + z];
  for (int y = 0; y < grid.layout.size[1]; ++y)
    for (int z = 0; z < grid.window; ++z) plane[y * length + z] += plane[y * length + grid.layout.size[2] + z];
}

}  // namespace nearfar
