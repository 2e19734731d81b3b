// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/far/far_multiplier.hpp"
#include "core/ewald/split/near_kernel.hpp"
#include "core/ewald/split/truncation.hpp"
#include "core/ewald/window/window.hpp"

namespace nearfar {

/// All numerical data that the tasks of a plan read: one small
/// read-only handle, which StarPU copies to each memory once.
template <class T>
struct EwaldTables {
  NearKernel<T> near;
  WindowTable<T> window;
  FarMultiplier<T> far;
  Truncation truncation;          ///< of the modes with padding 0
  FarMultiplier<T> far_pressure;  ///< where a kernel gives the pressure
  Truncation pressure_truncation;
  NearKernel<float> near_single;  ///< for P2P in single precision inside a double solve

  /// The kernel that P2P uses in precision A.
  template <class A>
  NEARFAR_FUNCTION NearKernel<A> const& near_in() const {
    if constexpr (sizeof(A) == sizeof(T)) return near;
    else return near_single;
  }
};

}  // namespace nearfar
