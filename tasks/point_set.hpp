// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/blocked_points.hpp"
#include "tasks/runtime_state.hpp"
#include "tasks/target_shares.hpp"

#include <memory>

namespace nearfar::detail {

template <class T>
struct EwaldSetup;

/// Sources and targets of a plan; one set of blocks where they are the same points. They keep what they were blocked
/// for, also when the plan has moved on to a larger box.
template <class T>
class PointSet {
 public:
  PointSet(std::shared_ptr<RuntimeState> runtime, void const* plan, std::shared_ptr<EwaldSetup<T>> setup,
           Frame const& frame, std::span<T const> sources, std::span<T const> targets, bool same, bool keep_given)
      : runtime_(std::move(runtime)), plan_(plan), setup_(std::move(setup)),
        sources_(std::make_shared<BlockedPoints<T>>(frame, sources, "source", keep_given)),
        targets_(same ? sources_ : std::make_shared<BlockedPoints<T>>(frame, targets, "target", keep_given)) {
    if (same) sources_->expect_distinct(frame, "source");
    shares_ = cut_shares(frame.cells, *sources_, *targets_);
  }

  ~PointSet() { awake_.begin(runtime_); }

  EwaldSetup<T>& setup() const noexcept { return *setup_; }
  BlockedPoints<T> const& sources() const noexcept { return *sources_; }
  BlockedPoints<T> const& targets() const noexcept { return *targets_; }
  /// Whether the targets are the sources.
  bool same() const noexcept { return sources_ == targets_; }
  std::vector<TargetShare> const& shares() const noexcept { return shares_; }
  bool belongs_to(void const* plan) const noexcept { return plan == plan_; }

 private:
  std::shared_ptr<RuntimeState> runtime_;  // first, so that StarPU outlives the handles
  Awake awake_;
  void const* plan_;
  std::shared_ptr<EwaldSetup<T>> setup_;
  std::shared_ptr<BlockedPoints<T>> sources_;
  std::shared_ptr<BlockedPoints<T>> targets_;
  std::vector<TargetShare> shares_;
};

}  // namespace nearfar::detail
