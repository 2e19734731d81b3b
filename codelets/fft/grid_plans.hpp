// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fft/fftw.hpp"
#include "core/grid.hpp"

#include <cstdint>
#include <map>

namespace nearfar {

/// Columns transformed together: their values at one plane fill whole cache lines.
inline constexpr int column_batch = 16;

/// Transforms of column_batch columns of one length, [point][column_batch], in place.
template <class T>
struct ColumnPlan {
  typename Fftw<T>::Plan forward, inverse;
};

/// The one-threaded FFTW plans of a grid, for aligned buffers (the new-array functions run them on others).
template <class T>
struct GridPlans {
  typename Fftw<T>::Plan forward_plane;  ///< slab plane (with halo) -> [y][modes_z]; only rows if y is free
  typename Fftw<T>::Plan inverse_plane;  ///< and back
  std::map<int, ColumnPlan<T>> columns;  ///< by length
};

/// Plans of a grid of this shape, made on the first call (by the solver's constructor, never first in a task) and kept
/// for the life of the process. Measured plans are remembered in the user's folder. Thread-safe.
template <class T>
GridPlans<T> const& grid_plans(Grid const& grid);

/// Whether the planes are transformed by rows and then by columns, because y is free and padded.
inline bool by_rows(Grid const& grid) { return grid.free >= 2; }

/// The scratch of the plane stages, in complex elements: the modes of a plane in the order of the columns; and, by
/// rows, the transformed rows, a batch of padded columns, and one padded row. All begin on whole cache lines.
struct PlaneScratch {
  explicit PlaneScratch(Grid const& grid);
  std::int64_t row_modes = 0;  ///< where [y][row_stride] begins
  std::int64_t row_stride = 0;
  std::int64_t batch = 0;
  std::int64_t row = 0;
  std::int64_t size = 0;
};

/// Elements that the column stage needs for each component.
std::int64_t column_scratch(Grid const& grid);

}  // namespace nearfar
