// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar::detail {

/// While it lives, CPU workers that have no task sleep some microseconds before they look for one again. StarPU's look
/// without a pause, which takes the core from whoever brings the task: the thread for messages, or another rank that
/// shares the core. Not for a process on its own, whose workers wait for each other only.
class RestingWorkers {
 public:
  RestingWorkers();  ///< after StarPU is up
  ~RestingWorkers();
  RestingWorkers(RestingWorkers const&) = delete;
  RestingWorkers& operator=(RestingWorkers const&) = delete;

 private:
  int hook_;
};

}  // namespace nearfar::detail
