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

/// What single precision does to the fields of few sources, which may nearly cancel: pairs of some targets with their
/// nearest images within the cutoff, as much farther apart as changes the field by what a sum in single precision loses
/// of it. None of more than a thousand sources: a review takes no time, and of many few cancel.
template <class T>
MovedPairs rounded_pairs(NearPairs const& near, OnHost<T> const& sources, OnHost<T> const& targets, bool same);

}  // namespace nearfar::detail
