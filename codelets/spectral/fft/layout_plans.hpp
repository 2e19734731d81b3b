// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/transform/cpu_transform.hpp"
#include "core/spectral/transforms.hpp"

#include <map>

namespace nearfar {

/// Transforms of adjacent columns of one length, in place.
template <class T>
struct ColumnTransforms {
  CpuTransform<T> forward, inverse;
};

/// The transforms of a layout on a CPU.
template <class T>
struct LayoutPlans {
  CpuTransform<T> forward_rows;                ///< of a plane of a slab, into [y][modes_z]; one by one if z is free
  CpuTransform<T> inverse_rows;                ///< the reverse
  ColumnTransforms<T> of_plane;                ///< of [y][modes_z], those in sections; unless y is free
  std::map<int, ColumnTransforms<T>> columns;  ///< column_batch of a length, [point][column_batch]
  bool aligned_slabs;                          ///< planes are transformed in place; slabs must be aligned
};

/// Made on the first call (by prepare_plans, never first in a task).
template <class T>
LayoutPlans<T> const& layout_plans(SpectralLayout const& layout);

}  // namespace nearfar
