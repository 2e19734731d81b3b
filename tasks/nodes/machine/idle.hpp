// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <functional>

namespace nearfar::detail {

/// How CPU workers rest that have no task.
struct Rest {
  /// The first rest, which doubles while a worker finds nothing to do. Linux adds 50 microseconds to each.
  std::chrono::microseconds first{20}, longest{20};
  unsigned watchful = 0;  ///< so many CPU workers look for tasks without a pause while a solve is in flight
  unsigned helpers = 16;  ///< so many are woken for a solve with tasks for CPUs; more do not copy faster
};

/// Beside GPUs: each look takes locks of StarPU's copies, which the GPUs' workers need, and most CPU workers have
/// nothing to do but to copy the caller's arrays. The n-th worker rests n / watchful times as long as one may, so that
/// the looks of many are hardly more than those of a few.
inline constexpr Rest rest_beside_gpus{.longest = std::chrono::microseconds(160), .watchful = 4};
/// Where several ranks share cores.
inline constexpr Rest rest_of_ranks{};
inline constexpr Rest rest_of_ranks_beside_gpus{.longest = rest_beside_gpus.longest};

/// While it lives, CPU workers that have no task sleep some microseconds before they look for one again. StarPU's look
/// without a pause, which takes the core from whoever brings the task: the thread for messages, another rank that
/// shares the core, or, under real-time priorities, any thread at all, since nothing takes a core from those that use
/// it. Not for CPU workers of a process on its own, which wait for each other only. One at a time.
class RestingWorkers {
 public:
  /// Whether a solve is in flight. Called by workers that have no task.
  using AtWork = std::function<bool()>;

  /// Before StarPU starts, or while it is up. Without `at_work` a solve is always thought to be in flight.
  explicit RestingWorkers(Rest const& rest, AtWork at_work = {});
  ~RestingWorkers();
  RestingWorkers(RestingWorkers const&) = delete;
  RestingWorkers& operator=(RestingWorkers const&) = delete;

  /// Ends all rests: there is work for CPUs.
  static void wake() noexcept;

 private:
  int hook_;
};

/// Whether the calling thread, and so the workers that it starts, keep their cores until they wait (chrt -f, -r).
bool is_real_time() noexcept;

}  // namespace nearfar::detail
