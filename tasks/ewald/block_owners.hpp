// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/ewald/plan.hpp"

namespace nearfar::detail {

/// The work that is divided among the ranks, in seconds of one worker.
struct RankWork {
  std::vector<double> chunk;  ///< of each chunk of targets: P2P, and the work for each point
  std::vector<double> grid;   ///< of each run of slabs: P2G for the points there, and transforms
};
template <class T>
RankWork rank_work(EwaldSetup<T> const& setup, PointSet<T> const& points);

/// Assigns chunks of targets to ranks in order, with equal work including their slabs
/// of the grid; a block belongs to the rank of its first chunk, or that of the block
/// before if it has none. Ranks then have their neighbours along x, as the slabs do.
template <class T>
BlockOwners block_owners(EwaldSetup<T> const& setup, PointSet<T> const& points);

/// The rank that gets the first run of blocks and slabs, the next ranks following, so that most points stay
/// where they are given: a periodic box begins at another place for us than for callers. Rank 0, unless
/// more than half of all points are in place with another one. `sources`: what this rank gives. Collective.
template <class T>
int first_owner(Ranks const& ranks, Frame const& frame, std::span<T const> sources);

}  // namespace nearfar::detail
