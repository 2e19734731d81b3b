// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/fmm_plan.hpp"

#include <vector>

namespace nearfar::detail {

/// A problem whose solves are measured; its tree is that of the default rates, its tasks as for a machine with so many
/// GPUs.
template <class T>
class FmmSample {
 public:
  /// Points that crowd toward a corner where `power` is above 1.
  FmmSample(std::shared_ptr<RuntimeState> const& runtime, FmmOptions const& options, double power, std::size_t count,
            int gpus = 0);

  /// Solves it once more.
  Solve solve(std::optional<Trial> const& trial);

  FmmParameters parameters() const { return points_->parameters(); }
  double count() const noexcept { return double(strengths_.size()); }

 private:
  std::shared_ptr<FmmPlan<T>> plan_;
  std::vector<T> strengths_, result_;
  typename FmmPlan<T>::Points points_;
};

}  // namespace nearfar::detail
