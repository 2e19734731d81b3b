// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/trace/content.hpp"

namespace nearfar::detail {

/// A period in which a worker runs nothing because data of its next task are in transfer or being allocated.
struct Wait {
  int task = 0;  ///< its index in the timeline
  double begin = 0, end = 0;
};

/// Data that were sent to another rank, or came from there.
struct Passage {
  MessageRecord record;
  unsigned solve = 0;
  int writer = -1;           ///< the task whose result is sent, if a task of this rank made it in this solve
  std::vector<int> readers;  ///< the tasks that read what arrived
};

/// The tasks of all solves, as they ran.
struct Timeline {
  std::deque<TaskRecord> tasks;         ///< by solve, then in the order of submission
  std::vector<unsigned> solve;          ///< of each task
  std::vector<std::vector<int>> after;  ///< the tasks that each one depends on
  std::vector<Wait> waits;
  std::vector<Passage> passages;  ///< by solve, then in the order of submission
  double zero = 0;                ///< when the first solve was submitted
};

/// Between solves, a dependency counts only if it could have held a task up: what had ended
/// before the task was submitted is left out (StarPU may since have given the handle's address
/// to other data). Tasks that waited in a GPU's queue count from the end of the one before them.
Timeline timeline_of(std::vector<TracedSolve> const& solves);

}  // namespace nearfar::detail
