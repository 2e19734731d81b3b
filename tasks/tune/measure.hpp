// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/throughput.hpp"
#include "tasks/engine/runtime_state.hpp"
#include "tasks/engine/solve_state.hpp"
#include "tasks/tune/machine.hpp"

#include <deque>
#include <memory>

namespace nearfar::detail {

/// Half a second at most, for first use; or all kernels of work in several proportions, for `nearfar tune`.
enum class TuneExtent { brief, full };

/// What the tasks of a trial took the workers of one kind, by row. A CPU worker is asked for the time in which its
/// thread had a core, so that what else runs on the machine does no harm; a GPU for the time from when it could begin
/// with a task, its data under way, to its end.
Speeds row_seconds(std::deque<TaskRecord> const& tasks, WorkerKind kind);

/// The table of the workers of this runtime: what solves that keep all CPU workers busy take them in each row, and what
/// a GPU takes that runs all it has bodies of. Rows that no solve has keep their proportion to the others.
template <class T>
Throughputs measure_throughputs(std::shared_ptr<RuntimeState> const& runtime, TuneExtent extent);

}  // namespace nearfar::detail
