// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar::detail {

/// While it lives, CPU workers that have no task sleep some microseconds before they look for one again. StarPU's look
/// without a pause, which takes the core from whoever brings the task: the thread for messages, another rank that
/// shares the core, or, under real-time priorities, any thread at all, since nothing takes a core from those that use
/// it. Not for other processes on their own, whose workers wait for each other only.
class RestingWorkers {
 public:
  RestingWorkers();  ///< before StarPU starts, or while it is up
  ~RestingWorkers();
  RestingWorkers(RestingWorkers const&) = delete;
  RestingWorkers& operator=(RestingWorkers const&) = delete;

 private:
  int hook_;
};

/// Whether the calling thread, and so the workers that it starts, keep their cores until they wait (chrt -f, -r).
bool is_real_time() noexcept;

}  // namespace nearfar::detail
