// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/count_columns/count_columns.hpp"
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

/// Of GPUs that share sums, how many order these points: one if the host has any of them, since all would fetch all.
template <class T>
int ordering_gpus(GivenArrays<T const> const& rows, int gpus);

struct SortManner {
  char const* what;  ///< points are called in messages
  bool keep_unwrapped = false;
  bool distinct = false;  ///< no two points may be the same
  int gpus = 1;           ///< that order points, each in some of the blocks
};

/// Points on their way into cells as by sorted_into_cells, by tasks on GPUs (or CPUs, if there are none), in whose
/// memory they stay until others read them: one task if there is one block. Of several, each GPU finds which points are
/// where in some of them, and from that the host how large the blocks are, which each a task fills.
template <class T>
class GpuCellSort {
 public:
  /// Begins. `rows`, which may be in the memory of GPUs too, outlive this; waits for what the caller has launched on
  /// streams that synchronise with the default stream. `room`: where the points will be, if in one block; null:
  /// anywhere. `sources`: in the same frame, near which these points are counted, whose points() is not called before
  /// counted() of these; null: these.
  GpuCellSort(std::shared_ptr<RuntimeState> const& runtime, Frame const& frame, GivenArrays<T const> const& rows,
              SortManner const& manner, std::shared_ptr<KeptRoom> room, GpuCellSort const* sources = nullptr);
  GpuCellSort(GpuCellSort const&) = delete;
  GpuCellSort& operator=(GpuCellSort const&) = delete;

  /// Waits until it is known how large the blocks are. Throws Error{bad_input} if a point of several blocks cannot be
  /// placed.
  BlockedPoints<T> const& counted();
  /// After that, of several blocks: what lies in columns of cells, in so few pieces that reading them back takes no
  /// time to speak of.
  CellColumns columns() const { return cell_columns_of(frame_.cells, 1 << 13); }
  std::vector<ColumnContent> const& content() const noexcept { return content_; }
  /// Once, when they are there. Throws as sorted_into_cells does.
  BlockedPoints<T> points();

 private:
  /// The blocks that one GPU orders.
  struct Part {
    int gpu = 0, first_block = 0, last_block = 0;
    CellRange cells{};
    Data order{}, offset{};  ///< rows by cell, and where cells begin, which stay there
    PointFaults faults{};
  };

  int count() const noexcept { return int(rows_.size() / 3); }
  void take_rows();
  void make_parts();
  void begin_order(GpuCellSort const* sources);
  void begin_blocks(std::vector<BlockSize> sizes, std::shared_ptr<KeptRoom> room);
  std::vector<BlockSize> sizes() const;
  std::vector<Handle> offsets() const;
  OffsetArrays offset_arrays() const;
  void expect_placed(PointFaults const& faults) const;

  std::shared_ptr<RuntimeState> runtime_;
  Frame frame_;
  GivenArrays<T const> rows_;
  SortManner manner_;
  Awake awake_;  // before the points, so that workers are also awake when refused ones are released
  std::vector<Data> given_;
  RowCut cut_{RowCut::uneven};
  // Of several blocks:
  std::vector<Part> parts_;
  std::vector<ColumnContent> content_;
  std::optional<BlockedPoints<T>> points_;
  std::vector<PointFaults> faults_;  ///< of blocks
  Solve sorting_;                    // last, so that it has ended before what its tasks write goes
};

/// All of that at once.
template <class T>
BlockedPoints<T> sorted_on_gpu(std::shared_ptr<RuntimeState> const& runtime, Frame const& frame,
                               GivenArrays<T const> const& rows, SortManner const& manner) {
  return GpuCellSort<T>(runtime, frame, rows, manner, nullptr).points();
}

}  // namespace nearfar::detail
