// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/cells.hpp"
#include "core/tree/loop.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <starpu.h>

namespace nearfar::detail {

/// CPU workers that sort this many points by tasks; 0: the caller sorts them. That is so if sorting takes less time
/// than waking workers, and where waiting for tasks would mean waiting for oneself: on a worker, in a callback.
inline int sort_workers(std::size_t points) {
  constexpr std::size_t few = 1 << 15;
  if (points < few || starpu_worker_get_id() >= 0) return 0;
  return int(starpu_cpu_worker_get_count());
}

/// Parts of the caller's rows: enough for workers that start late, but few, since every block reads all of them.
inline std::size_t sort_parts(std::size_t points, int workers) {
  constexpr std::size_t least_points = 1 << 13, for_each = 4;
  return std::clamp<std::size_t>(points / least_points, 1, std::max<std::size_t>(1, for_each * std::size_t(workers)));
}

/// Loops over this many points, or data made of them: as tasks on all CPU workers, beside solves
/// in flight, while the caller waits; by the caller itself if that is quicker (sort_workers).
/// Not for bodies that throw errors about the caller's input: the message would name the task.
Loop worker_loop(std::shared_ptr<RuntimeState> const& runtime, std::size_t points);

/// The same for loops over so many cells of a box, of which each is little work: by tasks only where the caller would
/// take longer than waking workers a few times.
Loop cell_loop(std::shared_ptr<RuntimeState> const& runtime, Cells const& cells);

}  // namespace nearfar::detail
