// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/count_columns/content_of_columns.hpp"
#include "core/plan/ewald/arrangement.hpp"
#include "tasks/particles/ladder.hpp"
#include "tasks/points/cell_sort.hpp"
#include "tasks/points/dealt_points.hpp"
#include "tasks/points/gpu_cell_sort.hpp"
#include "tasks/points/planned_points.hpp"
#include "tasks/points/spare_rooms.hpp"
#include "tasks/points/target_chunks.hpp"
#include "tasks/points/worker_loop.hpp"

namespace nearfar::detail {

template <class T>
struct EwaldSetup;

/// Which rank owns what of a set of points.
struct BlockOwners {
  std::vector<int> block;  ///< of sources: what solves compute for them
  std::vector<int> chunk;  ///< of targets: their parts of the result
  /// With several ranks: those that read positions of each block of sources, or of separate targets, ascending.
  std::vector<std::vector<int>> holders, target_holders;

  /// Whether other ranks than its owner read what is computed for a block of sources.
  bool is_sent(int b) const noexcept { return !holders.empty() && holders[std::size_t(b)].size() > 1; }
};

/// Points of an Ewald plan, in the cells of its box.
template <class T>
class PointSet : public PlannedPoints<T>, public Rung<PointSet<T>> {
 public:
  /// Whether GPUs that run all stages sort these points, too.
  static bool sort_on_gpu(OnHost<T> const& sources, OnHost<T> const& targets, Targets which) {
    return sorts_on_gpu<T>(sources.size() / 3) && (which == Targets::sources || sorts_on_gpu<T>(targets.size() / 3));
  }

  /// `rooms`: for points that GPUs sort; `gpus`: that share solves with them. `begun`: the sources, if sorting them on
  /// GPUs has begun.
  PointSet(std::shared_ptr<RuntimeState> runtime, void const* plan, std::shared_ptr<EwaldSetup<T>> setup,
           Frame const& frame, OnHost<T> const& sources, OnHost<T> const& targets, Targets which, bool keep_unwrapped,
           bool on_gpus, PointRooms& rooms, int gpus, std::shared_ptr<GpuCellSort<T>> begun = nullptr)
      : PlannedPoints<T>(runtime, plan), setup_(std::move(setup)), frame_(frame) {
    bool const others = which == Targets::own;
    if (!on_gpus || !sort_on_gpu(sources, targets, which)) {
      this->sources_ = sorted_into_cells(runtime, frame, sources.rows(), "source", keep_unwrapped, !others);
      if (others) this->targets_ = sorted_into_cells(runtime, frame, targets.rows(), "target", keep_unwrapped, false);
      cut(runtime, on_gpus);
      return;
    }
    auto const begin = [&](OnHost<T> const& points, char const* what, SpareRooms& from, GpuCellSort<T> const* near) {
      return std::make_shared<GpuCellSort<T>>(
          runtime, frame, points.arrays(),
          SortManner{what, keep_unwrapped, !others, ordering_gpus(points.arrays(), gpus)}, from.take(points.size() / 3),
          near);
    };
    if (begun == nullptr) begun = begin(sources, "source", rooms.sources, nullptr);
    auto const ends = others ? begin(targets, "target", rooms.targets, begun.get()) : begun;
    // One GPU does a whole block at once; with several there are messages to hide behind pieces.
    auto const &first = begun->counted(), &last = ends->counted();
    if (frame.cells.block_count() == 1) chunks_ = one_chunk(frame.cells, first.size(), last.size());
    else chunks_ = cut_chunks(ends->columns(), ends->content(), worth_cutting, gpu_pieces);
    this->sources_ = begun->points();
    if (others) this->targets_ = ends->points();
  }

  /// Points of connected ranks. Each rank gets the blocks that it needs
  /// once their owners are known (deal). No targets: they are the sources.
  PointSet(std::shared_ptr<RuntimeState> runtime, void const* plan, std::shared_ptr<EwaldSetup<T>> setup,
           Frame const& frame, DealtPoints<T> const& sources, DealtPoints<T> const* targets, bool on_gpus)
      : PlannedPoints<T>(runtime, plan), setup_(std::move(setup)), frame_(frame) {
    this->sources_ = sources.counted();
    if (targets != nullptr) this->targets_ = targets->counted();
    cut(runtime, on_gpus);
  }

  /// After set_owners. Collective.
  void deal(DealtPoints<T> const& sources, DealtPoints<T> const* targets, Ranks const& ranks) {
    sources.deal(*this->sources_, owners_.holders, targets == nullptr);
    if (targets != nullptr) targets->deal(*this->targets_, owners_.target_holders, false);
    auto const ranges = this->ranges();
    PlannedPoints<T>::set_parts(sources.parts(), targets != nullptr ? targets->parts() : Parts(), ranges, owners_.chunk,
                                ranks, false);
    ranks.together([&] {
      OwnRows own = sources.own_rows();
      this->set_routes(ranges, owners_.block, owners_.chunk, own, targets != nullptr ? targets->own_rows() : own,
                       ranks);
    });
  }

  /// For graphs that are recorded: so many points in each block, which
  /// are also the targets, each with so many others within the cutoff.
  PointSet(std::shared_ptr<RuntimeState> runtime, std::shared_ptr<EwaldSetup<T>> setup, std::vector<BlockSize> sizes,
           double neighbours)
      : PlannedPoints<T>(std::move(runtime), nullptr), setup_(std::move(setup)) {
    this->sources_.emplace(std::move(sizes));
    for (int b = 0; b < this->sources().blocks(); ++b)
      if (int const count = this->sources().count(b); count > 0) chunks_.push_back({b, {0, count}, neighbours * count});
  }

  ~PointSet() { this->begin_to_go(); }

  EwaldSetup<T>& setup() const noexcept { return *setup_; }
  std::shared_ptr<EwaldSetup<T>> const& shared_setup() const noexcept { return setup_; }
  Frame const& frame() const noexcept { return frame_; }
  /// How the sources lie, in the setup's unit; the default, evenly spread, until set_arrangement.
  Arrangement const& arrangement() const noexcept { return arrangement_; }
  void set_arrangement(Arrangement const& arrangement) { arrangement_ = arrangement; }
  /// The cell as the caller gave it, in the caller's unit, when these were set.
  CellRows const& given_cell() const noexcept { return given_cell_; }
  void set_given_cell(CellRows const& cell) { given_cell_ = cell; }
  /// Sources and targets as they were given before the cell changed, so that they are not found again in each cell:
  /// points that wrapping has moved by rows of one cell would be elsewhere in the next. Null if it never has.
  using GivenRows = std::pair<std::vector<T>, std::vector<T>>;
  std::shared_ptr<GivenRows const> const& given_rows() const noexcept { return given_rows_; }
  void set_given_rows(std::shared_ptr<GivenRows const> rows) { given_rows_ = std::move(rows); }

  std::vector<TargetChunk> const& chunks() const noexcept { return chunks_; }
  BlockOwners const& owners() const noexcept { return owners_; }
  void set_owners(BlockOwners owners) { owners_ = std::move(owners); }
  using PlannedPoints<T>::set_takers;
  /// After set_owners, where all points are here.
  void set_parts(Parts sources, Parts targets, Ranks const& ranks) {
    this->set_all_parts(std::move(sources), std::move(targets), ranges(), owners_.block, owners_.chunk, ranks);
  }

 private:
  static constexpr int worth_cutting = 500'000, gpu_pieces = 4;  // of a block: its targets, and into how many

  /// Of points on the host.
  void cut(std::shared_ptr<RuntimeState> const& runtime, bool on_gpus) {
    CellColumns const columns = cell_columns_of(frame_.cells, 1 << 18);
    auto const content = content_of_columns(columns, this->sources().block_offsets(), this->targets().block_offsets(),
                                            cell_loop(runtime, frame_.cells));
    chunks_ = on_gpus ? cut_chunks(columns, content, worth_cutting, gpu_pieces) : cut_chunks(columns, content);
  }

  std::vector<TargetRange> ranges() const {
    std::vector<TargetRange> ranges;
    for (TargetChunk const& chunk : chunks_) ranges.push_back({chunk.block, chunk.points});
    return ranges;
  }

  std::shared_ptr<EwaldSetup<T>> setup_;
  Frame frame_;
  Arrangement arrangement_;
  CellRows given_cell_{};
  std::shared_ptr<GivenRows const> given_rows_;
  std::vector<TargetChunk> chunks_;
  BlockOwners owners_;
};

}  // namespace nearfar::detail
