// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/ghost/ghost.hpp"
#include "tasks/ewald/plan.hpp"

#include <vector>

namespace nearfar::detail {

/// Planes of a slab that G2P on another GPU of this process reads.
struct GhostPlanes {
  int slab;
  int gpu;  ///< that reads them
  GhostArgs planes;
};

/// All of them, where they are few: elsewhere G2P reads the slab itself. Ranks that share a GPU each cut slabs instead
/// (EwaldPlanning::halo_planes).
template <class T>
std::vector<GhostPlanes> ghost_planes(EwaldSetup<T> const& setup, PointSet<T> const& points);

}  // namespace nearfar::detail
