// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/ewald/plan.hpp"

namespace nearfar::detail {

/// Chunks of targets in their order, so much work for each rank, with what its slabs of the grid are; blocks where
/// their first chunk is, or the one before them if they have none. Ranks then meet their neighbours along x, as the
/// slabs do.
template <class T>
BlockOwners block_owners(EwaldSetup<T> const& setup, PointSet<T> const& points);

}  // namespace nearfar::detail
