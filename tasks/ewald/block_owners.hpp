// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/ewald/plan.hpp"

namespace nearfar::detail {

/// What is shared among the ranks, in seconds of one worker.
struct RankWork {
  std::vector<double> chunk;  ///< of each chunk of targets: P2P, and what is done for each point
  std::vector<double> grid;   ///< of each run of slabs: P2G as the points lie, and transforms
};
template <class T>
RankWork rank_work(EwaldSetup<T> const& setup, PointSet<T> const& points);

/// Chunks of targets in their order, so much work for each rank, with what its slabs of the grid are; blocks where
/// their first chunk is, or the one before them if they have none. Ranks then meet their neighbours along x, as the
/// slabs do.
template <class T>
BlockOwners block_owners(EwaldSetup<T> const& setup, PointSet<T> const& points);

/// Which rank is to have the first run of blocks and slabs, and the next ones the next, so that most points are where
/// they are given: boxes that repeat begin at other places for us than for callers. Rank 0, unless another choice has
/// more than half of all points there. `sources`: what this rank gives. Collective.
template <class T>
int first_owner(Ranks const& ranks, Frame const& frame, std::span<T const> sources);

}  // namespace nearfar::detail
