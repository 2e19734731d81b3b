// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/solve/solve_state.hpp"
#include "tasks/trace/content.hpp"
#include "tasks/trace/starpu_bound.hpp"

#include <mutex>
#include <set>
#include <string>

namespace nearfar::detail {

/// What a traced runtime records. Thread-safe.
class TraceLog {
 public:
  /// StarPU is up: its counts of transfers and its bound begin here, unless it belongs to others, who may use them.
  explicit TraceLog(bool starpu_is_ours);

  /// A solve has ended. If memory runs out, it is left out, and the end of the log says so.
  void add(EndedSolve const& solve, std::deque<TaskRecord> const& tasks,
           std::deque<MessageRecord> const& messages) noexcept;

  /// A moment with a name, also for StarPU's own trace.
  void mark(std::string const& text);

  /// The whole log, solves in the order of submission. Call it once, with no solve in flight and StarPU still up.
  TraceContent finish();

 private:
  bool const ours_;
  std::mutex mutex_;
  TraceContent content_;
  std::set<ModelKey> models_;
  int lost_ = 0;
};

}  // namespace nearfar::detail
