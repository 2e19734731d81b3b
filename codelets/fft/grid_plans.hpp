// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fft/fftw.hpp"
#include "core/grid.hpp"

namespace nearfar {

/// Columns transformed together: their values at one plane fill whole cache lines.
inline constexpr int column_batch = 16;

/// The four one-threaded FFTW plans of a grid, for aligned buffers (the new-array functions run them on others).
template <class T>
struct GridPlans {
  typename Fftw<T>::Plan forward_plane;   ///< slab plane (with halo) -> [y][modes_z]
  typename Fftw<T>::Plan inverse_plane;   ///< and back
  typename Fftw<T>::Plan forward_column;  ///< [x][column_batch], in place
  typename Fftw<T>::Plan inverse_column;
};

/// Plans of a grid of this shape, made on the first call (by the solver's constructor, never first in a task) and kept for
/// the life of the process. Measured plans are remembered in the user's folder. Thread-safe.
template <class T>
GridPlans<T> const& grid_plans(Grid const& grid);

/// Elements of the scratch that the plane stages and the column stage need.
inline std::int64_t plane_scratch(Grid const& grid) { return std::int64_t(grid.size[1]) * grid.modes_z(); }
inline std::int64_t column_scratch(Grid const& grid) { return std::int64_t(grid.size[0]) * column_batch; }

}  // namespace nearfar
