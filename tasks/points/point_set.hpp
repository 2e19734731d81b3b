// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/points/cell_sort.hpp"
#include "tasks/points/planned_points.hpp"
#include "tasks/points/target_chunks.hpp"

namespace nearfar::detail {

template <class T>
struct EwaldSetup;

/// Which rank has what of a set of points.
struct BlockOwners {
  std::vector<int> block;  ///< of sources: what solves make of them
  std::vector<int> chunk;  ///< of targets: the parts of the result
};

/// Points of an Ewald plan, in the cells of its box.
template <class T>
class PointSet : public PlannedPoints<T> {
 public:
  PointSet(std::shared_ptr<RuntimeState> runtime, void const* plan, std::shared_ptr<EwaldSetup<T>> setup,
           Frame const& frame, std::span<T const> sources, std::span<T const> targets, bool same, bool keep_unwrapped)
      : PlannedPoints<T>(runtime, plan), setup_(std::move(setup)) {
    this->sources_ = sorted_into_cells(runtime, frame, sources, "source", keep_unwrapped, same);
    if (!same) this->targets_ = sorted_into_cells(runtime, frame, targets, "target", keep_unwrapped, false);
    chunks_ = cut_chunks(frame.cells, this->sources(), this->targets());
  }

  ~PointSet() { this->begin_to_go(); }

  EwaldSetup<T>& setup() const noexcept { return *setup_; }
  std::vector<TargetChunk> const& chunks() const noexcept { return chunks_; }
  BlockOwners const& owners() const noexcept { return owners_; }
  void set_owners(BlockOwners owners) { owners_ = std::move(owners); }
  void set_parts(Parts sources, Parts targets) {
    std::vector<TargetRange> ranges;
    for (TargetChunk const& chunk : chunks_) ranges.push_back({chunk.block, chunk.points});
    PlannedPoints<T>::set_parts(std::move(sources), std::move(targets), ranges);
  }

 private:
  std::shared_ptr<EwaldSetup<T>> setup_;
  std::vector<TargetChunk> chunks_;
  BlockOwners owners_;
};

}  // namespace nearfar::detail
