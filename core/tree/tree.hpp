// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/targets.hpp"
#include "core/tree/morton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace nearfar {

/// The shape of a tree.
struct TreeShape {
  std::array<double, 3> centre{};  ///< of the root box
  double half = 0.5;               ///< half its longest edge
  bool periodic = false;           ///< the root box repeats in all directions
  int separation = 1;              ///< boxes of one level are near if their places differ by at most this
  int depth = 0;                   ///< the last level, at most deepest_level
  int capacity = 0;                ///< a box with at most so many points is not divided; 0: all leaves on level `depth`
  std::array<double, 3> aspect{1, 1, 1};  ///< edges of the root, and so of every box, relative to the longest
};

/// One box that holds points. Points are numbered in the order of the tree.
struct TreeBox {
  std::int32_t at[3];                      ///< place on its level
  std::int32_t parent;                     ///< on the level above, -1 for the root
  std::int32_t first_child, children = 0;  ///< on the level below; none: a leaf
  std::uint32_t source[2], target[2];      ///< first and last + 1 of its points

  bool is_leaf() const noexcept { return children == 0; }
  std::uint32_t sources() const noexcept { return source[1] - source[0]; }
  std::uint32_t targets() const noexcept { return target[1] - target[0]; }
};

/// A sparse octree: only boxes that hold points, level by level, each level in Morton order.
struct Tree {
  TreeShape shape;
  std::vector<std::vector<TreeBox>> levels;
  /// The caller's number of each point of the tree; no target order if the targets are the sources.
  BulkVector<std::uint32_t> source_order, target_order;

  int depth() const noexcept { return int(levels.size()) - 1; }
  double half(int level) const noexcept { return shape.half / double(1 << level); }
  std::size_t boxes() const noexcept;
};

/// Key of a point (by the caller's coordinates) on level `level`; in a periodic root that of its image within it.
/// Coordinates are finite, and within a root that is not periodic. What single precision makes of a point on a face may
/// lie outside the root: it stays in the box at this face, since its coordinates do.
template <class T>
NEARFAR_FUNCTION MortonKey point_key(TreeShape const& shape, T const x[3], int level) {
  constexpr double rounding = 1e-6;
  std::int32_t const places = 1 << level;
  std::int32_t at[3];
  for (std::size_t d = 0; d < 3; ++d) {
    double along = (double(x[d]) - shape.centre[d]) / (2 * shape.half * shape.aspect[d]) + 0.5;
    if (shape.periodic && (along < -rounding || along > 1 + rounding)) along -= floor(along);
    at[d] = std::clamp(std::int32_t(along * places), 0, places - 1);
  }
  return morton_key(at[0], at[1], at[2]);
}

/// The same for rows of three.
template <class T>
std::vector<MortonKey> point_keys(TreeShape const& shape, std::span<T const> rows, int level);

/// The tree of points with these keys, of level `depth` or deeper. Where the targets are the sources, `targets` is
/// empty and `same` true.
Tree make_tree(TreeShape const& shape, SortedKeys sources, SortedKeys targets, Targets which,
               Loop const& loop = in_turn);
/// Its boxes alone.
std::vector<std::vector<TreeBox>> make_boxes(TreeShape const& shape, SortedKeys const& sources,
                                             SortedKeys const& targets, Targets which, Loop const& loop = in_turn);

/// Returns the sorted keys of points, of this level or deeper: deep ones are made only when asked for.
using KeysAt = std::function<SortedKeys const&(int level)>;

/// Statistics of uniform trees, for each depth up to `level`, which is at most that of the keys.
struct Occupancy {
  std::vector<double> boxes;     ///< that hold points
  std::vector<double> pairs;     ///< of points that share a leaf, in both orders, including each point with itself
  std::vector<double> siblings;  ///< occupied children of a leaf's parent, including the leaf: mean over leaves
};
Occupancy occupancy(SortedKeys const& keys, int level, Loop const& loop = in_turn);

/// The same in a root `factor` times as long, from 1 to 2: between one depth and the next.
Occupancy stretched(Occupancy const& found, double factor);

}  // namespace nearfar
