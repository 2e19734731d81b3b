// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/rates.hpp"
#include "tasks/solve_state.hpp"

#include <deque>
#include <string_view>

namespace nearfar::detail {

/// What the tasks of a stage took one worker.
struct Occupied {
  double seconds = 0, flops = 0;
  int tasks = 0;
};

/// A worker is occupied by a task from when it could begin with it, which is when the task is ready and the one before
/// has ended: with its data under way, too.
Occupied occupied(std::deque<TaskRecord> const& tasks, int worker, std::initializer_list<std::string_view> stages);

/// Seconds that the first of the worker's tasks of a stage took more than the others on average.
double start_seconds(std::deque<TaskRecord> const& tasks, int worker, std::string_view stage);

/// A solve that a GPU ran alone, but for what only CPUs can do.
struct FmmGpuTime {
  Occupied pairs, links, shifts, sources, targets;
  double start = 0;  ///< seconds that the first task took more than others of its stage, P2M
  double link_count = 0;
};

/// From trees with many links and few pairs, of low and middle order, and one of high order with few and many.
FmmGpuRates fit_fmm_gpu_rates(FmmGpuTime const& low, FmmGpuTime const& middle, FmmGpuTime const& high);

/// Measured on one GPU worker with trees of `depth` levels and one level less.
template <class T>
FmmGpuRates measure_fmm_gpu(std::shared_ptr<RuntimeState> const& runtime, unsigned worker, std::size_t points,
                            int depth);

}  // namespace nearfar::detail
