// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/targets.hpp"
#include "core/tree/lists/lists.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nearfar {

/// The leaves of a tree along the Morton curve, to find the leaves of points that have moved.
class LeafCurve {
 public:
  /// For keys of level `level`, which is at least the depth of the tree.
  LeafCurve(Tree const& tree, int level);

  int size() const noexcept { return int(leaves_.size()); }
  int level(int leaf) const noexcept { return leaves_[std::size_t(leaf)].level; }
  int number(int leaf) const noexcept { return leaves_[std::size_t(leaf)].box; }  ///< on its level
  bool holds(int leaf, MortonKey key) const noexcept {
    LeafAt const& at = leaves_[std::size_t(leaf)];
    return key - at.first < at.keys;
  }
  /// The leaf that contains a key, or else the last one before it; the first if there is none.
  int at_or_before(MortonKey key) const noexcept;

 private:
  struct LeafAt {
    MortonKey first, keys;
    std::int32_t level, box;
  };

  std::vector<LeafAt> leaves_;
};

/// Where a point is that was in some leaf before.
struct PlaceInTree {
  MortonKey key;
  int leaf;       ///< that contains it, or else the last one before it along the curve
  bool has_leaf;  ///< it is in that leaf
  bool in_root;
  double outside;  ///< how far it is outside its leaf, or its former one if it has none: in edges of this leaf
};

/// Finds leaves for points that have moved.
class LeafFinder {
 public:
  /// Keys are of the level of the curve.
  LeafFinder(Tree const& tree, LeafCurve const& curve, int level);

  /// `relative` to the centre of the root; `own`: its former leaf. None if the point is far outside the root.
  template <class T>
  std::optional<PlaceInTree> place_of(T const relative[3], int own) const {
    double const x[3] = {double(relative[0]), double(relative[1]), double(relative[2])};
    double const beyond = shape_.periodic ? 0 : outside_box(tree_.levels[0][0], 0, x);
    if (beyond > 1) return {};
    PlaceInTree place{point_key(shape_, relative, level_), own, true, beyond == 0, 0};
    if (!curve_.holds(own, place.key)) {
      place.leaf = curve_.at_or_before(place.key);
      place.has_leaf = curve_.holds(place.leaf, place.key);
    }
    if (place.has_leaf && place.in_root) return place;
    int const leaf = place.has_leaf ? place.leaf : own, level = curve_.level(leaf);
    place.outside = outside_box(tree_.levels[std::size_t(level)][std::size_t(curve_.number(leaf))], level, x);
    return place;
  }

 private:
  /// The largest over the directions, in edges of the box.
  double outside_box(TreeBox const& box, int level, double const x[3]) const noexcept;

  Tree const& tree_;
  LeafCurve const& curve_;
  TreeShape shape_;
  int level_;
};

/// Points by leaf, in the order of LeafCurve: where those of each leaf begin, the end, and the caller's number of each.
struct LeafPoints {
  std::vector<std::uint32_t> begin;
  BulkVector<std::uint32_t> order;
};

/// Sorts points into the leaves that contain their keys, which are of the level of the curve.
LeafPoints in_leaves(LeafCurve const& curve, SortedKeys keys);

/// The boxes of `tree` with other points in them. If the targets are the sources, `targets` is not read.
Tree with_points(Tree tree, LeafCurve const& curve, LeafPoints sources, LeafPoints targets, Targets which);

/// Whether lists made for `planned` still serve the same boxes with other points: no box has points of a kind that
/// it had none of, nor more than twice what it was planned for: what it held, or the average of leaves if larger.
bool serves(Tree const& planned, LeafCurve const& curve, Tree const& moved);

/// Leaves of all blocks, planned and as they are now: the ranges of their sources in leaf_table.
struct MovedLeaves {
  std::vector<std::vector<std::int32_t>> const &planned, &now;
};

/// The table of P2P or P2L for points that have moved. `targets`: the
/// present leaf table of the block's targets, for P2P; null for P2L.
Gather moved_runs(Gather const& planned, MovedLeaves const& sources, std::vector<std::int32_t> const* targets);

}  // namespace nearfar
