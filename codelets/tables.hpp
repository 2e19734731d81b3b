// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/far_multiplier.hpp"
#include "core/near_kernel.hpp"
#include "core/truncation.hpp"
#include "core/window.hpp"

namespace nearfar {

/// Everything numerical that the tasks of a plan read: one small read-only handle, which StarPU copies to each memory
/// once.
template <class T>
struct EwaldTables {
  NearKernel<T> near;
  WindowTable<T> window;
  FarMultiplier<T> far;
  Truncation truncation;  ///< of the modes with padding 0
  T zero_mode[4] = {};    ///< what stands for the multiplier at k = 0, for each component on the grid
};

}  // namespace nearfar
