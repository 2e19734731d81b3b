// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/sort_cells/sort_cells.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"
#include "tasks/points/blocked_points.hpp"

#include <nearfar/solve.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// Whether a GPU sorts this many points: if there are enough to be worth starting, and all fit into its memory, also
/// those that others read later; and unless waiting for tasks would mean waiting for oneself.
template <class T>
bool sorts_on_gpu(std::size_t points);

/// Points on their way into cells as by sorted_into_cells, by tasks on a GPU (or a CPU, if there is none), in whose
/// memory they stay until others read them: one task if there is one block; of several, one finds which points are
/// where, and from that the host how large the blocks are, which each a task fills.
template <class T>
class GpuCellSort {
 public:
  /// Begins. `rows`, which may be in the memory of GPUs too, outlive this; waits for what the caller has launched on
  /// streams that synchronise with the default stream. `room`: where the points will be, if in one block; null:
  /// anywhere.
  GpuCellSort(std::shared_ptr<RuntimeState> const& runtime, Frame const& frame, GivenArrays<T const> const& rows,
              char const* what, bool keep_unwrapped, bool distinct, std::shared_ptr<KeptRoom> room);
  GpuCellSort(GpuCellSort const&) = delete;
  GpuCellSort& operator=(GpuCellSort const&) = delete;

  /// Their blocks while tasks fill these: how large they are and, of several blocks, where cells begin. Throws
  /// Error{bad_input} if a point of several blocks cannot be placed.
  BlockedPoints<T> const& counted();
  /// Once, when they are there. Throws as sorted_into_cells does.
  BlockedPoints<T> points();

 private:
  int count() const noexcept { return int(rows_.size() / 3); }
  void take_rows();
  void begin_order();
  void begin_blocks(std::vector<BlockSize> sizes, std::shared_ptr<KeptRoom> room);
  std::vector<BlockSize> sizes() const;
  void expect_placed(PointFaults const& faults) const;

  std::shared_ptr<RuntimeState> runtime_;
  Frame frame_;
  GivenArrays<T const> rows_;
  char const* what_;
  bool keep_unwrapped_, distinct_;
  Awake awake_;  // before the points, so that workers are also awake when refused ones are released
  std::vector<Data> given_;
  RowCut cut_{RowCut::uneven};
  // Of several blocks:
  Arena<std::int32_t> offsets_;
  Data order_, offset_;  ///< offsets of cells, and the rows in them, which stay where they are
  std::optional<BlockedPoints<T>> points_;
  PointFaults order_faults_;
  std::vector<PointFaults> faults_;  ///< of blocks
  Solve sorting_;                    // last, so that it has ended before what its tasks write goes
};

/// All of that at once.
template <class T>
BlockedPoints<T> sorted_on_gpu(std::shared_ptr<RuntimeState> const& runtime, Frame const& frame,
                               GivenArrays<T const> const& rows, char const* what, bool keep_unwrapped, bool distinct,
                               std::shared_ptr<KeptRoom> room = nullptr) {
  return GpuCellSort<T>(runtime, frame, rows, what, keep_unwrapped, distinct, std::move(room)).points();
}

}  // namespace nearfar::detail
