// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/lattice.hpp"
#include "core/geometry/length_unit.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/points/views/moved_pair.hpp"

#include <array>

namespace nearfar::detail {

/// How far sums in single precision look for pairs, in a lattice that repeats along some of its rows.
struct NearPairs {
  CellLattice lattice;           ///< in our unit, as the cutoff
  std::array<bool, 3> periodic;  ///< along its rows
  double cutoff;
  LengthUnit unit;  ///< the points are in the caller's
  int power;        ///< by which the fields of equal sources fall off with the distance
};

/// What single precision does to the fields of few sources, which may nearly cancel: some targets with the nearest
/// images of sources within the cutoff, farther apart by as much as changes their fields by what a sum in single
/// precision loses of them. `same`: the sources are the targets. None for more than 1,024 sources, whose pairs would
/// take longer to look at than small solves take.
MovedPairs rounded_pairs(NearPairs const& near, OnHost<float> const& sources, OnHost<float> const& targets, bool same);

}  // namespace nearfar::detail
