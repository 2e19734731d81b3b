// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/nodes/ranks.hpp"

#include <nearfar/runtime.hpp>

#include <deque>
#include <string>
#include <vector>

namespace nearfar::detail {

struct TaskRecord;
struct MessageRecord;

/// A solve that has ended; times in microseconds of StarPU's clock.
struct EndedSolve {
  unsigned number = 0;  ///< counts the solves of the runtime, from 1
  double submitted = 0;
  double closed = 0;  ///< when all its tasks were submitted
  double end = 0;
  bool together = false;  ///< by all ranks
};

/// Describes a runtime, for those who record it.
struct RuntimeDescription {
  std::string version, scheduler;
  std::vector<Worker> workers;
};

/// Watches a runtime and its solves (tasks/trace). Calls come in this order; those about solves from any thread.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Comes first. Throws an Error if it cannot watch.
  virtual void prepare(Ranks const& ranks) = 0;
  /// StarPU is about to be started by us.
  virtual void before_start() = 0;
  /// StarPU is up, maybe started by somebody else.
  virtual void started(bool starpu_is_ours) = 0;
  virtual void solve_ended(EndedSolve const& solve, std::deque<TaskRecord> const& tasks,
                           std::deque<MessageRecord> const& messages) noexcept = 0;
  /// A moment to which the caller gives a name.
  virtual void mark(std::string const& text) = 0;
  /// No solve is in flight on any rank, and StarPU is still up. Collective.
  virtual void before_stop(RuntimeDescription const& runtime) noexcept = 0;
  /// StarPU, if started by us, is down.
  virtual void stopped() noexcept = 0;
};

}  // namespace nearfar::detail
