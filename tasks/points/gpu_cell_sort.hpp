// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/sort_cells/sort_cells.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"
#include "tasks/points/blocked_points.hpp"

#include <nearfar/solve.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace nearfar::detail {

/// Whether a GPU sorts this many points of a frame: into one block, if there are enough
/// to be worth starting, and unless waiting for tasks would mean waiting for oneself.
template <class T>
bool sorts_on_gpu(Frame const& frame, std::size_t points);

/// Points on their way into cells as by sorted_into_cells, by one task on a GPU (or a CPU, if there is none), in whose
/// memory they stay.
template <class T>
class GpuCellSort {
 public:
  /// Begins. `rows`, which may be in the GPU's memory too, outlive this; waits for what the caller has launched on
  /// streams that synchronise with the default stream. `room`: where the points will be; null: anywhere.
  GpuCellSort(std::shared_ptr<RuntimeState> const& runtime, Frame const& frame, std::span<T const> rows,
              char const* what, bool keep_unwrapped, bool distinct, std::shared_ptr<KeptRoom> room);
  GpuCellSort(GpuCellSort const&) = delete;
  GpuCellSort& operator=(GpuCellSort const&) = delete;

  /// Once, when they are there. Throws as sorted_into_cells does.
  BlockedPoints<T> points();

 private:
  std::shared_ptr<RuntimeState> runtime_;
  Frame frame_;
  std::span<T const> rows_;
  char const* what_;
  Awake awake_;  // before the points, so that workers are also awake when refused ones are released
  std::optional<BlockedPoints<T>> points_;
  PointFaults faults_;
  Solve sorting_;  // last, so that it has ended before what its tasks write goes
};

/// All of that at once.
template <class T>
BlockedPoints<T> sorted_on_gpu(std::shared_ptr<RuntimeState> const& runtime, Frame const& frame,
                               std::span<T const> rows, char const* what, bool keep_unwrapped, bool distinct,
                               std::shared_ptr<KeptRoom> room = nullptr) {
  return GpuCellSort<T>(runtime, frame, rows, what, keep_unwrapped, distinct, std::move(room)).points();
}

}  // namespace nearfar::detail
