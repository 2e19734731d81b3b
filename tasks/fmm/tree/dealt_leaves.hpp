// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/moved_tree.hpp"
#include "tasks/fmm/tree/root.hpp"
#include "tasks/fmm/tree/tree.hpp"
#include "tasks/nodes/ranks.hpp"
#include "tasks/points/blocked_points.hpp"
#include "tasks/points/planned_points.hpp"

#include <cstdint>
#include <vector>

namespace nearfar::detail {

// Points that connected ranks give, anywhere in the root, on their way into the leaves
// of a tree whose boxes all ranks know: each rank sorts its own by leaf, and one
// exchange takes those of a block to the ranks that need them. Points are ordered as in
// one process: by leaf, within a leaf by key, and those with equal keys by rank and row.

/// Where all ranks' points of each leaf begin, sorted by leaf; without their numbers. Collective.
LeafPoints leaves_of_all(Ranks const& ranks, LeafPoints const& own);

/// Who needs the points of each block, ascending: its owner, and for sources those that read them in P2P or P2L.
std::vector<std::vector<int>> leaf_holders(FmmTree const& tree, Side side);

/// What a rank gives of the sources or targets, and their place in the tree.
template <class T>
struct OwnLeaves {
  PointsInRoot<T> const& given;
  LeafPoints const& points;
  LeafCurve const& curve;  ///< of the tree, for keys of `level`
  int level;
};

/// The points of all ranks in the blocks of the tree, of which this rank holds those that it
/// needs. Throws Error{bad_input} if two coincide though they should be `distinct`. Collective.
template <class T>
BlockedPoints<T> deal_leaves(Ranks const& ranks, FmmTree const& tree, Side side, OwnLeaves<T> const& own, bool distinct,
                             Loop const& loop);

/// This rank's points by block.
OwnRows own_rows(FmmTree const& tree, LeafCurve const& curve, LeafPoints const& own);

}  // namespace nearfar::detail
