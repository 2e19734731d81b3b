// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/fft/fftw.hpp"
#include "core/spectral/transforms.hpp"

#include <map>
#include <mutex>

namespace nearfar {

/// Transforms of adjacent columns of one length, in place.
template <class T>
struct FftwColumns {
  typename Fftw<T>::Plan forward, inverse;
};

/// The one-threaded FFTW plans of a layout (the new-array functions run them on buffers other than those planned on).
template <class T>
struct FftwPlans {
  typename Fftw<T>::Plan forward_rows;    ///< of a plane of a slab, into [y][modes_z]; one by one if z is free
  typename Fftw<T>::Plan inverse_rows;    ///< the reverse
  FftwColumns<T> of_plane;                ///< of [y][modes_z], those in sections; unless y is free
  std::map<int, FftwColumns<T>> columns;  ///< column_batch of a length, [point][column_batch]
  bool aligned_slabs;                     ///< planes are transformed in place; slabs must be aligned to 16 bytes
};

/// While it lives, this thread makes plans, starting from what was learned
/// on this machine before; what it learns is stored in the user's folder.
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

/// Made on the first call (by prepare_plans, never first in a task).
template <class T>
FftwPlans<T> const& fftw_plans(SpectralLayout const& layout);

}  // namespace nearfar
