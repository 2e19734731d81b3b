// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>

namespace nearfar {

/// Starts Kokkos unless it is up, with as many threads as KOKKOS_NUM_THREADS says, else one: StarPU's workers are
/// threads too, so more pay where there are few workers. It cannot be started twice, so one that we start stays up
/// until the process ends.
void start_kokkos();

/// The threads of Kokkos for one loop. There is one set of them: who finds it taken does its loop alone.
class KokkosThreads {
 public:
  KokkosThreads();

  /// At least 1: the calling thread.
  int count() const noexcept { return count_; }

 private:
  std::unique_lock<std::mutex> taken_;
  int count_ = 1;
};

}  // namespace nearfar
