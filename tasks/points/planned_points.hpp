// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/runtime_state.hpp"
#include "tasks/points/blocked_points.hpp"

#include <memory>
#include <optional>

namespace nearfar::detail {

/// Sources and targets of a plan, in blocks; one set of blocks where they are the same points. They keep what they were
/// blocked for, also when the plan has moved on.
template <class T>
class PlannedPoints {
 public:
  PlannedPoints(std::shared_ptr<RuntimeState> runtime, void const* plan) : runtime_(std::move(runtime)), plan_(plan) {}

  BlockedPoints<T> const& sources() const noexcept { return *sources_; }
  BlockedPoints<T> const& targets() const noexcept { return targets_ ? *targets_ : *sources_; }
  /// Whether the targets are the sources.
  bool same() const noexcept { return !targets_; }
  bool belongs_to(void const* plan) const noexcept { return plan == plan_; }

 private:
  std::shared_ptr<RuntimeState> runtime_;  // first, so that StarPU outlives the handles
  Awake awake_;
  void const* plan_;

 protected:
  /// First of all when these points go.
  void begin_to_go() { awake_.begin(runtime_); }

  std::optional<BlockedPoints<T>> sources_, targets_;  ///< no targets: the sources
};

}  // namespace nearfar::detail
