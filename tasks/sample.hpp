// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/work.hpp"
#include "tasks/ewald_plan.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace nearfar::detail {

/// A small solve of evenly spread points that is measured, round by round: of each task the shortest of all rounds,
/// so that what else runs on the machine for a moment does not matter.
template <class T>
class EwaldSample {
 public:
  using Stages = std::initializer_list<std::string_view>;

  /// `cutoff` in those that the default rates give. `worker` runs what it has a body of; none: CPUs run all. The tasks
  /// are those that suit `machine`.
  EwaldSample(std::shared_ptr<RuntimeState> const& runtime, EwaldOptions options, std::size_t points, double cutoff = 1,
              Part part = Part::whole, std::optional<unsigned> worker = {}, MachineShape const& machine = {});

  /// One more round. `ask_models`: StarPU's models too say what the tasks take.
  void measure(bool ask_models = false);

  // Of one worker, all tasks of these stages together:
  double seconds(Stages stages) const;          ///< each task as short as it has been
  double typical_seconds(Stages stages) const;  ///< median of the rounds
  /// By StarPU's models, in the last round; 0 where they do not know all tasks, or were not asked.
  double modelled_seconds(Stages stages) const;

  std::vector<int> const& near_workers() const noexcept { return near_workers_; }  ///< of the last round
  WorkTerms const& terms() const noexcept { return terms_; }
  EwaldParameters parameters() const { return plan_->parameters(); }
  std::size_t points() const noexcept { return count_; }

 private:
  std::size_t count_;
  Part part_;
  std::optional<unsigned> worker_;
  std::shared_ptr<EwaldPlan<T>> plan_;
  std::vector<T> strengths_, result_;
  std::shared_ptr<PointSet<T>> set_;
  WorkTerms terms_;
  struct Task {
    char const* stage;
    double seconds;
  };
  static double sum(std::vector<Task> const& tasks, Stages stages);

  std::vector<std::vector<Task>> rounds_;
  std::vector<Task> modelled_;  ///< of the last round
  std::vector<int> near_workers_;
};

}  // namespace nearfar::detail
