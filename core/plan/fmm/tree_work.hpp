// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/tree.hpp"

#include <functional>
#include <span>
#include <vector>

namespace nearfar {

/// What the lists of a tree depend on beside its boxes.
struct TreeSight {
  int separation;
  bool periodic;
  double images;  ///< of the cell that are summed directly, itself included
};

/// How much work a tree is expected to be: pairs of points, interactions, boxes that are shifted up and down, points of
/// leaves with expansions; its boxes, and the points that a point finds in its leaf.
struct TreeWork {
  double pairs = 0, interactions = 0, shifts = 0, points = 0, boxes = 1, crowd = 0;
  double to_points = 0, to_locals = 0;  ///< M2P, P2L: points times boxes; only counted, not guessed
};

/// Boxes that a box of a full tree sees near and far (fmm.md, Sec. 1.6).
double near_boxes(int separation) noexcept;
double far_boxes(int separation) noexcept;

/// Of trees whose leaves are all on one level, for each level of `found`.
std::vector<TreeWork> uniform_work(Occupancy const& found, double count, TreeSight const& sight);

/// Of such a tree, or of one whose boxes of more than `capacity` points are divided, down to `depth`, all leaves there
/// if capacity is 0: the tree of keys of level `depth` or deeper is built, and the lists of some of its boxes are
/// counted. Some percent off, however the points are spread, where guesses may be off by a factor of five. `few`: see
/// InteractionLists.
TreeWork counted_work(SortedKeys const& keys, int depth, int capacity, TreeSight const& sight, std::uint32_t few,
                      Loop const& loop = in_turn);
/// A tree whose boxes are elsewhere: its points, how many boxes there are on each level, and how many pairs of points
/// share a leaf, each point with itself included.
struct TreeElsewhere {
  double points = 0;
  std::vector<double> boxes;
  double crowd = 0;
};
/// The same of such a tree. `counts`: for the boxes of a TreeSample, level by level, the interactions of each and the
/// sources in its list X; then for its points the sources in U and the boxes in W.
TreeWork counted_work(TreeElsewhere const& tree, std::span<std::uint64_t const> counts);

/// A tree whose work is likely to be asked for.
struct ExpectedTree {
  int capacity;
  TreeSight sight;
  std::uint32_t few;
};

/// What trees of given points are like, whoever has the points.
struct PointTrees {
  double points = 0;
  std::function<Occupancy(int level)> occupancy;  ///< of uniform trees, down to this level
  /// What counted_work finds.
  std::function<TreeWork(int depth, int capacity, TreeSight const& sight, std::uint32_t few)> work;
  /// Told before, if it is there: the work of all these, down to `depth`, is likely to be asked for.
  std::function<void(int depth, std::span<ExpectedTree const> trees)> expect;

  PointTrees() = default;
  /// Of points with these keys.
  PointTrees(std::size_t count, KeysAt keys, Loop const& loop);
  PointTrees(KeysAt const& keys) : PointTrees(keys(0).keys.size(), keys, in_turn) {}
};

}  // namespace nearfar
