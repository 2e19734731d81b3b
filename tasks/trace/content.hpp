// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/solve/observer.hpp"
#include "tasks/engine/solve/solve_state.hpp"

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// A solve that has ended; times in microseconds of StarPU's clock.
struct TracedSolve {
  unsigned number = 0;
  double submitted = 0;
  double closed = 0;  ///< when all its tasks were submitted
  double end = 0;
  std::deque<TaskRecord> tasks;
  std::deque<MessageRecord> messages{};
  bool together = false;  ///< with the other ranks
};

/// A transfer from one memory to another.
struct Transfers {
  std::string from, to;
  int count = 0;
  long long bytes = 0;
};

/// Everything that a trace contains.
struct TraceContent {
  RuntimeDescription runtime;
  std::vector<Transfers> transfers;
  std::vector<TracedSolve> solves;
  std::vector<std::pair<double, std::string>> marks;
  double starpu_bound = 0;  ///< seconds, by starpu_bound_compute; 0 where it has none
  int rank = 0, ranks = 1;
  double clock_ahead = 0;  ///< of that of rank 0; microseconds
};

}  // namespace nearfar::detail
