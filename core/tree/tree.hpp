// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/morton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace nearfar {

/// What a tree is to be like.
struct TreeShape {
  std::array<double, 3> centre{};  ///< of the root box
  double half = 0.5;               ///< half its longest edge
  bool periodic = false;           ///< the root box repeats in all directions
  int separation = 1;              ///< boxes of one level are near if their places differ by at most this
  int depth = 0;                   ///< the last level, at most deepest_level
  int capacity = 0;                ///< a box with at most so many points is not divided; 0: all leaves on level `depth`
  std::array<double, 3> aspect{1, 1, 1};  ///< edges of the root, and so of every box, by the longest
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

/// A sparse octree: only boxes with points, level by level, each level in Morton order.
struct Tree {
  TreeShape shape;
  std::vector<std::vector<TreeBox>> levels;
  /// The caller's number of each point of the tree; no targets where they are the sources.
  BulkVector<std::uint32_t> source_order, target_order;

  int depth() const noexcept { return int(levels.size()) - 1; }
  double half(int level) const noexcept { return shape.half / double(1 << level); }
  std::size_t boxes() const noexcept;
};

/// Key of a point on level `level` (by the caller's coordinates); in a periodic root of its image within it.
/// Coordinates are finite, and within the root where it is not periodic; rounding puts them into it.
template <class T>
MortonKey point_key(TreeShape const& shape, T const x[3], int level) {
  std::int32_t const places = 1 << level;
  std::int32_t at[3];
  for (std::size_t d = 0; d < 3; ++d) {
    double along = (double(x[d]) - shape.centre[d]) / (2 * shape.half * shape.aspect[d]) + 0.5;
    if (shape.periodic && !(along >= 0 && along < 1)) along -= std::floor(along);
    at[d] = std::clamp(std::int32_t(along * places), 0, places - 1);
  }
  return morton_key(at[0], at[1], at[2]);
}

/// Of rows of three.
template <class T>
std::vector<MortonKey> point_keys(TreeShape const& shape, std::span<T const> rows, int level);

/// The tree of points with these keys, of level `depth` or deeper. Where the targets are the sources, `targets` is
/// empty and `same` true.
Tree make_tree(TreeShape const& shape, SortedKeys sources, SortedKeys targets, bool same, Loop const& loop = in_turn);
/// Its boxes alone.
std::vector<std::vector<TreeBox>> make_boxes(TreeShape const& shape, SortedKeys const& sources,
                                             SortedKeys const& targets, bool same, Loop const& loop = in_turn);

/// The sorted keys of points, of at least this level: deep ones are made only when they are asked for.
using KeysAt = std::function<SortedKeys const&(int level)>;

/// What trees of uniform depth are like, for each depth up to `level`, at most that of the keys.
struct Occupancy {
  std::vector<double> boxes;     ///< with points
  std::vector<double> pairs;     ///< of points that share a leaf, in both orders, each point with itself
  std::vector<double> siblings;  ///< boxes with points that a leaf's parent has, itself included: mean over leaves
};
Occupancy occupancy(SortedKeys const& keys, int level, Loop const& loop = in_turn);

/// What they would be like in a root `factor` times as long, from 1 to 2: between one depth and the next.
Occupancy stretched(Occupancy const& found, double factor);

}  // namespace nearfar
