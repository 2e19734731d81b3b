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

/// A solve that has ended; microseconds of StarPU's clock.
struct EndedSolve {
  unsigned number = 0;  ///< among those of the runtime, from 1
  double submitted = 0;
  double closed = 0;  ///< all its tasks were submitted
  double end = 0;
  bool together = false;  ///< by all ranks
};

/// What a runtime is, for whoever writes that down.
struct RuntimeDescription {
  std::string version, scheduler;
  std::vector<Worker> workers;
};

/// Watches a runtime and its solves (tasks/trace). Calls come in this order; those about solves from any thread.
class Observer {
 public:
  virtual ~Observer() = default;
  /// First of all. Throws an Error where it could not watch.
  virtual void prepare(Ranks const& ranks) = 0;
  /// StarPU is about to be started by us.
  virtual void before_start() = 0;
  /// It is up; it may be somebody else's.
  virtual void started(bool starpu_is_ours) = 0;
  virtual void solve_ended(EndedSolve const& solve, std::deque<TaskRecord> const& tasks,
                           std::deque<MessageRecord> const& messages) noexcept = 0;
  /// A moment that the caller gives a name.
  virtual void mark(std::string const& text) = 0;
  /// No solve is in flight, on no rank, and StarPU is still up. All ranks are here.
  virtual void before_stop(RuntimeDescription const& runtime) noexcept = 0;
  /// StarPU was ours and is down.
  virtual void stopped() noexcept = 0;
};

}  // namespace nearfar::detail
