// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/solve/solve_state.hpp"

#include <deque>
#include <ostream>

namespace nearfar::detail {

/// The dependencies between tasks that sequential reads and
/// writes of their data imply, as pairs of indices in `tasks`.
std::vector<std::pair<int, int>> dependencies(std::deque<TaskRecord> const& tasks);

/// The graph in the DOT language: one node per task, coloured by stage.
void write_dag(std::ostream& out, std::deque<TaskRecord> const& tasks);

}  // namespace nearfar::detail
