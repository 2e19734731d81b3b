// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/far_multiplier.hpp"
#include "core/near_kernel.hpp"
#include "core/window.hpp"

namespace nearfar {

/// Everything numerical that the tasks of a plan read: one small read-only handle, which StarPU copies to each memory once.
template <class T>
struct EwaldTables {
  NearKernel<T> near;
  WindowTable<T> window;
  FarMultiplier<T> far;
  T zero_mode = 0;       ///< what stands for the multiplier at k = 0
  T inverse_volume = 0;
};

}  // namespace nearfar
