// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/access.hpp"
#include "tasks/nodes/messages/last_users.hpp"

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// Whether the data that tasks read are made; without them, graphs of any size can be recorded.
enum class Content { whole, none };

/// A task of one of the ranks, or a message between two.
struct GraphStep {
  std::string_view stage;   ///< empty: a message
  int rank = 0;             ///< that runs the task, or sends the message
  int to = -1;              ///< that gets the message
  int block = 0;            ///< of the task
  int priority = 0;         ///< of the task
  double flops = 0;         ///< of the task
  std::uint64_t bytes = 0;  ///< of the message
  std::vector<int> after;   ///< steps that it waits for, in their order
};

/// The graph of a solve, recorded instead of submitted: all tasks of all ranks, and the messages between
/// them, in the order of insertion. Every rank has its own copy of what it reads, and a step waits for
/// those that accessed the same copy before, as StarPU and StarPU-MPI order them. Not thread-safe.
class Recording {
 public:
  using Accesses = std::vector<std::pair<Handle, starpu_data_access_mode>>;

  /// `step` describes a task, except for what it waits for.
  void task(GraphStep step, Accesses const& accesses);
  void message(Handle data, int from, int to);

  std::vector<GraphStep> const& steps() const noexcept { return steps_; }

 private:
  void add(GraphStep step, std::vector<int> before);

  std::vector<GraphStep> steps_;
  std::map<std::pair<int, Handle>, LastUsers> users_;  ///< of each rank's copy
};

}  // namespace nearfar::detail
