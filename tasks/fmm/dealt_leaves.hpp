// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/moved_tree.hpp"
#include "tasks/fmm/root.hpp"
#include "tasks/fmm/tree.hpp"
#include "tasks/nodes/ranks.hpp"
#include "tasks/points/blocked_points.hpp"
#include "tasks/points/planned_points.hpp"

#include <cstdint>
#include <vector>

namespace nearfar::detail {

// Points that connected ranks give, lying anywhere, on their way into the leaves of a tree whose boxes all ranks know:
// each rank has its own by leaf, and one exchange brings those of a block to the ranks that need them. Points are in
// the order of one process: by leaf, in a leaf by their keys, and those with one key in the order of the ranks and of
// their rows.

/// Where all ranks' points of each leaf begin, if they are in its order; without their numbers. Collective.
LeafPoints leaves_of_all(Ranks const& ranks, LeafPoints const& own);

/// Who needs the points of each block, lowest first: who owns it, and of sources who reads them in P2P or P2L.
std::vector<std::vector<int>> leaf_holders(FmmTree const& tree, Side side);

/// What a rank gives of one side, and how it is looked at.
template <class T>
struct OwnLeaves {
  PointsInRoot<T> const& given;
  LeafPoints const& points;
  LeafCurve const& curve;  ///< of the tree, for keys of `level`
  int level;
};

/// The points of all ranks in the blocks of the tree, of which this one holds those that it needs. Throws
/// Error{bad_input} for two at one place, if they are to be `distinct`. Collective.
template <class T>
BlockedPoints<T> deal_leaves(Ranks const& ranks, FmmTree const& tree, Side side, OwnLeaves<T> const& own, bool distinct,
                             Loop const& loop);

/// This rank's points by block.
OwnRows own_rows(FmmTree const& tree, LeafCurve const& curve, LeafPoints const& own);

/// The same leaves, each with its points in the order of their keys.
template <class T>
LeafPoints in_order(LeafPoints leaves, PointsInRoot<T> const& given, int level);

}  // namespace nearfar::detail
