// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>

namespace nearfar {

/// Starts Kokkos unless it is up, with KOKKOS_NUM_THREADS threads, or one if that is
/// not set: StarPU's workers are threads too, so more pay only with few workers. Kokkos
/// cannot be started twice, so one that we start stays up until the process ends.
/// Throws Error{bad_input} for variables with which it does not start.
void start_kokkos();

/// The threads of Kokkos, for one loop at a time. Whoever finds them taken runs the loop alone.
class KokkosThreads {
 public:
  KokkosThreads();

  /// At least 1, which is the calling thread.
  int count() const noexcept { return count_; }

 private:
  std::unique_lock<std::mutex> taken_;
  int count_ = 1;
};

}  // namespace nearfar
