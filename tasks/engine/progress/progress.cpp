// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/progress/progress.hpp"

namespace nearfar::detail {

void Progress::tasks_left(int left) {
  if (left == 0) return;  // what comes after the last task may still take long
  double const fraction = 1 - double(left) / tasks_;
  int const percent = int(100 * fraction);
  if (percent <= told_.load(std::memory_order_relaxed)) return;
  std::unique_lock const lock(telling_, std::try_to_lock);
  if (!lock || percent <= told_.load(std::memory_order_relaxed)) return;
  told_.store(100, std::memory_order_relaxed);  // for good, if it throws
  callback_(fraction);
  told_.store(percent, std::memory_order_relaxed);
}

}  // namespace nearfar::detail
