// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/arena.hpp"
#include "tasks/fmm_root.hpp"
#include "tasks/fmm_tree.hpp"
#include "tasks/runtime_state.hpp"

#include <nearfar/fmm.hpp>

#include <memory>
#include <span>

namespace nearfar::detail {

template <class T>
struct FmmSetup;

/// Sources or targets leaf by leaf, with the handles of each block of leaves: x[stride], y[stride], z[stride] relative
/// to the centre of the root box, and the caller's row of each. The stride is a whole number of cache lines.
template <class T>
class LeafBlocks {
 public:
  LeafBlocks(FmmTree const& tree, PlacedRows<T> const& rows, Side side);

  std::size_t size() const noexcept { return points_; }
  int count(int block) const noexcept { return count_[std::size_t(block)]; }
  std::int64_t stride(int block) const noexcept { return first_[std::size_t(block) + 1] - first_[std::size_t(block)]; }
  Handle position(int block) const noexcept { return position_[std::size_t(block)]; }
  /// For differences of points: not rounded by the change of origin.
  Handle exact_position(int block) const noexcept {
    return exact_position_.empty() ? position(block) : exact_position_[std::size_t(block)];
  }
  Handle index(int block) const noexcept { return index_[std::size_t(block)]; }

  /// Throws Error{bad_input}, naming two points, when two of them are at the same place.
  void expect_distinct(FmmTree const& tree, std::array<double, 3> const& centre, char const* what) const;

 private:
  std::size_t points_;
  std::vector<int> count_;
  std::vector<std::int64_t> first_;
  Arena<T> positions_, exact_;
  Arena<std::uint32_t> indices_;
  std::vector<Data> position_, exact_position_, index_;  // after the arenas, so that they go first
};

/// Sources and targets of a plan, in the boxes of one tree; one set of blocks where they are the same points. They keep
/// what they were blocked for, also when the plan has moved on to other points.
template <class T>
class FmmPointSet {
 public:
  FmmPointSet(std::shared_ptr<RuntimeState> runtime, void const* plan, std::shared_ptr<FmmSetup<T>> setup,
              std::shared_ptr<FmmTree> tree, std::shared_ptr<FmmLanes<T>> lanes, FmmParameters const& parameters,
              PlacedRows<T> const& sources, PlacedRows<T> const& targets, bool same);

  ~FmmPointSet() { awake_.begin(runtime_); }

  FmmSetup<T>& setup() const noexcept { return *setup_; }
  std::shared_ptr<FmmSetup<T>> const& shared_setup() const noexcept { return setup_; }
  std::shared_ptr<FmmTree> const& tree() const noexcept { return tree_; }
  std::shared_ptr<FmmLanes<T>> const& lanes() const noexcept { return lanes_; }
  FmmParameters const& parameters() const noexcept { return parameters_; }
  LeafBlocks<T> const& sources() const noexcept { return *sources_; }
  LeafBlocks<T> const& targets() const noexcept { return *targets_; }
  bool same() const noexcept { return sources_ == targets_; }
  bool belongs_to(void const* plan) const noexcept { return plan == plan_; }

 private:
  std::shared_ptr<RuntimeState> runtime_;  // first, so that StarPU outlives the handles
  Awake awake_;
  void const* plan_;
  std::shared_ptr<FmmSetup<T>> setup_;
  std::shared_ptr<FmmTree> tree_;
  std::shared_ptr<FmmLanes<T>> lanes_;
  FmmParameters parameters_;
  std::shared_ptr<LeafBlocks<T>> sources_, targets_;
};

}  // namespace nearfar::detail
