// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/choice.hpp"
#include "tasks/fmm_setup.hpp"
#include "tasks/graph.hpp"

#include <mutex>
#include <optional>

namespace nearfar::detail {

/// The implementation of BasicFmm.
template <class T>
class FmmPlan : public std::enable_shared_from_this<FmmPlan<T>> {
 public:
  using Points = std::shared_ptr<FmmPointSet<T>>;

  /// For the machine `given`; else for this one.
  FmmPlan(std::shared_ptr<RuntimeState> runtime, FmmOptions const& options,
          std::optional<FmmMachine> const& given = {});
  ~FmmPlan() { awake_.begin(runtime_); }

  Points set_points(std::span<T const> sources, std::span<T const> targets, bool same);
  Points move_points(Points const& before, std::span<T const> sources);
  Solve submit(Points const& points, std::span<T const> strengths, std::span<T> result,
               std::optional<Trial> const& trial = {});

  FmmOptions const& options() const noexcept { return options_; }
  FmmParameters parameters() const;

 private:
  std::shared_ptr<FmmSetup<T>> setup_for(FmmChoice const& choice);

  std::shared_ptr<RuntimeState> runtime_;  // first, so that StarPU outlives the handles
  Awake awake_;
  FmmOptions options_;
  FmmMachine machine_;
  mutable std::mutex mutex_;  // tasks of one plan are submitted by one thread at a time
  std::shared_ptr<FmmSetup<T>> setup_;
  std::optional<FmmParameters> parameters_;
};

}  // namespace nearfar::detail
