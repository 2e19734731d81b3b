// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/data.hpp"
#include "tasks/engine/solve/solve_state.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace nearfar::detail {

/// Whether all workers that can run `writer` use one main memory: StarPU may treat
/// it as several (STARPU_USE_NUMA). GPUs do not count if the writer stays on CPUs.
bool runs_in_one_memory(starpu_codelet const& writer, bool stays_with_cpus = false);

/// The caller's array of results, of which each task of a solve writes its own rows (WriteRows).
/// If all writers and the array are in one memory, each task has a handle; else there is one
/// handle for all, and the solve ends when its content is back in the caller's memory.
class ResultRows {
 public:
  /// For tasks 0 .. tasks - 1, which run in one memory or in several. The array outlives the
  /// solve, and holds the results at its end. There is none if the tasks run on another rank.
  template <class T>
  ResultRows(SolveState& solve, std::span<T> array, std::size_t tasks, bool one_memory, Home home = Home::host())
      : solve_(solve), home_(home), shared_(!one_memory || home.node != STARPU_MAIN_RAM), alone_(tasks == 1),
        here_(!array.empty()) {
    std::size_t const handles = shared_ ? 1 : tasks;
    for (std::size_t i = 0; i < handles; ++i)
      data_.push_back(here_ ? SolveData::over("result", array.data(), std::int64_t(array.size()), home)
                            : SolveData::temporary<T>("result", 0));
  }
  ~ResultRows();
  ResultRows(ResultRows const&) = delete;
  ResultRows& operator=(ResultRows const&) = delete;

  WriteRows of(std::size_t task) const noexcept { return {data_[shared_ ? 0 : task], shared_ && !alone_}; }

 private:
  SolveState& solve_;
  Home home_;
  bool shared_;
  bool alone_;  ///< one task writes all rows
  bool here_;   ///< the array is this rank's
  std::vector<SolveData> data_;
};

}  // namespace nearfar::detail
