// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/ghost/ghost.hpp"
#include "tasks/ewald/plan.hpp"

#include <vector>

namespace nearfar::detail {

/// What one GPU reads of what another one makes, where that is a small part of it; GPUs of this process, or of ranks.
/// Elsewhere it reads all.
struct Ghost {
  int item;        ///< a slab, or a block of sources
  int gpu;         ///< that reads it, as owners are numbered
  GhostArgs rows;  ///< one number each, of one component, until `of`

  /// The same rows of arrays with so many components, or with rows of so many numbers.
  GhostArgs of(int components, std::int64_t row = 1) const {
    GhostArgs args = rows;
    args.components = components;
    args.row = row;
    return args;
  }
};

/// Planes of slabs that windows of another GPU's targets reach, for G2P.
template <class T>
std::vector<Ghost> plane_ghosts(EwaldSetup<T> const& setup, PointSet<T> const& points);

/// Points of blocks within the cutoff of another GPU's targets, by layers of cells, for P2P; `rows` are points.
template <class T>
std::vector<Ghost> near_ghosts(EwaldSetup<T> const& setup, PointSet<T> const& points);

/// Points of blocks whose windows reach another GPU's slabs, by layers of cells, for P2G; `rows` are points.
template <class T>
std::vector<Ghost> spread_ghosts(EwaldSetup<T> const& setup, PointSet<T> const& points);

}  // namespace nearfar::detail
