// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/throughput.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"
#include "tasks/engine/solve/solve_state.hpp"
#include "tasks/tune/machine.hpp"

#include <deque>
#include <memory>

namespace nearfar::detail {

/// Half a second at most, for first use; or all kernels with various proportions of work, for `nearfar tune`.
enum class TuneExtent { brief, full };

/// Seconds that the tasks of a trial took workers of one kind, by row. For CPU workers it
/// is the CPU time of their threads, so that other programs on the machine do no harm; for
/// a GPU the time from when it could begin with a task, its data under way, to its end.
Speeds row_seconds(std::deque<TaskRecord> const& tasks, WorkerKind kind);

/// Measures the table for the workers of this runtime: with solves that keep all CPU workers busy, and on a
/// GPU that runs all stages it has bodies for. Rows that no solve has keep their proportion to the others.
template <class T>
Throughputs measure_throughputs(std::shared_ptr<RuntimeState> const& runtime, TuneExtent extent);

}  // namespace nearfar::detail
