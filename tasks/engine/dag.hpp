// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/solve_state.hpp"

#include <deque>
#include <ostream>

namespace nearfar::detail {

/// Dependencies between tasks, as pairs of places in `tasks`: those that sequential reads and writes of their data
/// imply.
std::vector<std::pair<int, int>> dependencies(std::deque<TaskRecord> const& tasks);

/// The graph in the DOT language: one node per task, coloured by stage.
void write_dag(std::ostream& out, std::deque<TaskRecord> const& tasks);

}  // namespace nearfar::detail
