// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>
#include <vector>

namespace nearfar::detail {

/// The last tasks to access some data, by the order of insertion: what the next
/// one waits for. Writers in any order (COMMUTE) do not depend on each other.
struct LastUsers {
  int writer = -1;
  std::vector<int> readers;
  std::vector<int> commuters;

  /// Adds to `before` the tasks that `task` waits for; `task` is now a user too.
  void add(int task, starpu_data_access_mode mode, std::vector<int>& before) {
    bool const commutes = (mode & STARPU_COMMUTE) != 0, writes = (mode & STARPU_W) != 0;
    if (writer >= 0) before.push_back(writer);
    if (writes) before.insert(before.end(), readers.begin(), readers.end());
    if (!commutes) before.insert(before.end(), commuters.begin(), commuters.end());
    if (commutes) commuters.push_back(task);
    else if (writes) *this = LastUsers{task, {}, {}};
    else readers.push_back(task);
  }
};

}  // namespace nearfar::detail
