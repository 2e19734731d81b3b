// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <functional>
#include <mutex>

namespace nearfar::detail {

/// Tells the caller of a solve how much of it is done, on each percent, one call at a time.
class Progress {
 public:
  Progress(std::function<void(double fraction)> callback, int tasks) : callback_(std::move(callback)), tasks_(tasks) {}

  /// By a worker, when so many tasks have not ended. While another worker tells, it goes on with its work instead.
  /// Throws what the callback throws, which is not called again then.
  void tasks_left(int left);

  /// After all tasks, if the result is complete.
  void complete() { callback_(1); }

 private:
  std::function<void(double)> callback_;
  int tasks_;
  std::mutex telling_;
  std::atomic<int> told_{0};  ///< percent
};

}  // namespace nearfar::detail
