// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/blocked_points.hpp"
#include "tasks/runtime_state.hpp"

#include <memory>

namespace nearfar::detail {

/// Sources and targets of a plan; one set of blocks where they are the same points.
template <class T>
class PointSet {
 public:
  PointSet(std::shared_ptr<RuntimeState> runtime, void const* plan, Cells const& cells, std::span<T const> sources,
           std::span<T const> targets, bool same, bool keep_given)
      : runtime_(std::move(runtime)), plan_(plan),
        sources_(std::make_shared<BlockedPoints<T>>(cells, sources, "source", keep_given)),
        targets_(same ? sources_ : std::make_shared<BlockedPoints<T>>(cells, targets, "target", keep_given)) {
    if (same) sources_->expect_distinct("source");
  }

  BlockedPoints<T> const& sources() const noexcept { return *sources_; }
  BlockedPoints<T> const& targets() const noexcept { return *targets_; }
  bool belongs_to(void const* plan) const noexcept { return plan == plan_; }

 private:
  std::shared_ptr<RuntimeState> runtime_;  // first, so that StarPU outlives the handles
  void const* plan_;
  std::shared_ptr<BlockedPoints<T>> sources_;
  std::shared_ptr<BlockedPoints<T>> targets_;
};

}  // namespace nearfar::detail
