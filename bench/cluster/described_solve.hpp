// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bench/cluster/description.hpp"
#include "tasks/ewald/plan.hpp"
#include "tasks/nodes/messages/recording.hpp"

#include <cstdint>
#include <memory>

namespace nearfar::cluster {

/// A described solve without content: its graph can be built, by the builder that real ones have, for clusters of any
/// size in one process. For one thread.
class DescribedSolve {
 public:
  /// As one of its ranks, or as all of them at once (detail::everywhere).
  DescribedSolve(std::shared_ptr<detail::RuntimeState> runtime, Description const& description,
                 int rank = detail::everywhere);

  /// What all ranks would do.
  detail::Recording record();

  /// What it takes the one rank to submit its part; tasks return at once, and messages only pretend to go.
  struct Part {
    double seconds = 0;  ///< of the core that does it
    std::size_t tasks = 0;
    std::uint64_t sent_bytes = 0;
  };
  Part submit_part();

  detail::EwaldSetup<double> const& setup() const noexcept { return *setup_; }
  detail::PointSet<double> const& points() const noexcept { return *points_; }

 private:
  void build(detail::Graph& graph);

  std::shared_ptr<detail::RuntimeState> runtime_;  // first, so that StarPU outlives the handles
  Description description_;
  detail::Ranks ranks_;
  std::shared_ptr<detail::EwaldSetup<double>> setup_;
  std::shared_ptr<detail::PointSet<double>> points_;
};

}  // namespace nearfar::cluster
