// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/fft/fftw.hpp"
#include "core/spectral/transforms.hpp"

#include <map>
#include <mutex>

namespace nearfar {

/// Transforms of columns of one length that lie side by side, in place.
template <class T>
struct FftwColumns {
  typename Fftw<T>::Plan forward, inverse;
};

/// The one-threaded FFTW plans of a layout (the new-array functions run them on other buffers than they were made for).
template <class T>
struct FftwPlans {
  typename Fftw<T>::Plan forward_rows;    ///< of a plane of a slab, into [y][modes_z]; one by one if z is free
  typename Fftw<T>::Plan inverse_rows;    ///< and back
  FftwColumns<T> of_plane;                ///< of [y][modes_z], those that sections have; unless y is free
  std::map<int, FftwColumns<T>> columns;  ///< column_batch of a length, [point][column_batch]
  bool aligned_slabs;  ///< planes are transformed where they lie, and slabs must begin at multiples of 16 bytes
};

/// While it lives this thread makes plans, with what this user's machine has learned before; what it learns is
/// remembered in the user's folder.
template <class T>
class FftwPlanning {
 public:
  FftwPlanning();
  ~FftwPlanning();
  FftwPlanning(FftwPlanning const&) = delete;
  FftwPlanning& operator=(FftwPlanning const&) = delete;

 private:
  std::lock_guard<std::mutex> lock_{fftw_planner()};
};

/// Made on the first call (prepare_plans, never first in a task).
template <class T>
FftwPlans<T> const& fftw_plans(SpectralLayout const& layout);

}  // namespace nearfar
