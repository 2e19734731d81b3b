// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/on_host.hpp"
#include "core/tree/tree.hpp"
#include "core/tree/vectors.hpp"

namespace nearfar {

NEARFAR_FUNCTION int bits_of(std::uint32_t word) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return __popc(word);
#else
  return __builtin_popcount(word);
#endif
}

/// How many boxes and leaves a tree has on each level. On a level boxes are in the order of their keys, and levels
/// follow each other: a box has one number in all arrays.
struct BoxCounts {
  static constexpr int most_levels = deepest_level + 1;
  int depth = 0, separation = 1;
  bool periodic = false;
  std::int32_t begin[most_levels + 1] = {};  ///< of each level; [depth + 1]: the end
  std::int32_t leaves[most_levels] = {};     ///< of each level

  NEARFAR_FUNCTION std::int32_t all() const { return begin[depth + 1]; }
  NEARFAR_FUNCTION std::int32_t size(int level) const { return begin[level + 1] - begin[level]; }
  NEARFAR_FUNCTION std::int32_t inner(int level) const { return size(level) - leaves[level]; }
  /// Leaves on levels above this one.
  NEARFAR_FUNCTION std::int32_t leaves_above(int level) const {
    std::int32_t sum = 0;
    for (int l = 0; l < level; ++l) sum += leaves[l];
    return sum;
  }
  NEARFAR_FUNCTION std::int32_t all_leaves() const { return leaves_above(depth + 1); }
  NEARFAR_FUNCTION bool on_one_level() const { return leaves_above(depth) == 0; }
  NEARFAR_FUNCTION int level_of(std::int32_t box) const {
    int level = 0;
    while (box >= begin[level + 1]) ++level;
    return level;
  }
  NEARFAR_FUNCTION int width() const { return 2 * separation + 1; }
  NEARFAR_FUNCTION int near() const { return width() * width() * width(); }
  /// The displacement of near box `i`.
  NEARFAR_FUNCTION void way(int i, std::int32_t d[3]) const {
    d[2] = i % width() - separation;
    d[1] = i / width() % width() - separation;
    d[0] = i / width() / width() - separation;
  }
  NEARFAR_FUNCTION int number_of_way(std::int32_t const d[3]) const {
    return ((d[0] + separation) * width() + d[1] + separation) * width() + d[2] + separation;
  }
};

/// The inner boxes or the leaves of one level: what one task of a solve takes (core/tree/blocks.hpp).
struct BoxBlock {
  int level;
  bool of_leaves;

  NEARFAR_FUNCTION int number() const { return 2 * level + (of_leaves ? 1 : 0); }
  NEARFAR_FUNCTION std::int32_t size(BoxCounts const& c) const { return of_leaves ? c.leaves[level] : c.inner(level); }
  /// Of its boxes in BoxTree::in_block.
  NEARFAR_FUNCTION std::int32_t begin(BoxCounts const& c) const {
    return c.begin[level] + (of_leaves ? c.inner(level) : 0);
  }
};
inline constexpr int most_box_blocks = 2 * BoxCounts::most_levels;

/// Boxes as GrowTree makes them.
struct BoxArrays {
  MortonKey* key;
  std::int32_t *parent, *first_child;  ///< -1 for the root; 0 for leaves
  std::int32_t* children;              ///< a bit for each octant that is occupied; none: a leaf
  std::uint32_t *source, *target;  ///< where its points begin and end along the curve; one array if they are the same
  std::int32_t *leaves, *first_source, *first_target;  ///< leaves, and their points, before it; and all
};

/// A tree of which more and more is known.
struct BoxTree {
  BoxCounts counts;
  BoxArrays all;
  std::int32_t* in_block;  ///< boxes block by block, inner ones first on each level
  std::int32_t* near;      ///< [box][displacement]: with sources, maybe in another image of the cell; -1: none

  NEARFAR_FUNCTION bool is_leaf(std::int32_t b) const { return all.children[b] == 0; }
  NEARFAR_FUNCTION std::uint32_t sources(std::int32_t b) const { return all.source[2 * b + 1] - all.source[2 * b]; }
  NEARFAR_FUNCTION std::uint32_t targets(std::int32_t b) const { return all.target[2 * b + 1] - all.target[2 * b]; }
  /// Among the boxes of its block.
  NEARFAR_FUNCTION std::int32_t local(std::int32_t b, int level) const {
    std::int32_t const leaves = all.leaves[b] - all.leaves[counts.begin[level]];
    return is_leaf(b) ? leaves : b - counts.begin[level] - leaves;
  }
  /// Where its points begin in a block of leaves.
  NEARFAR_FUNCTION std::int32_t first_source(std::int32_t b, int level) const {
    return all.first_source[b] - all.first_source[counts.begin[level]];
  }
  NEARFAR_FUNCTION std::int32_t first_target(std::int32_t b, int level) const {
    return all.first_target[b] - all.first_target[counts.begin[level]];
  }
  /// The child of box b in an octant; -1: none.
  NEARFAR_FUNCTION std::int32_t child(std::int32_t b, int octant) const {
    auto const mask = std::uint32_t(all.children[b]);
    if ((mask >> octant & 1) == 0) return -1;
    return all.first_child[b] + bits_of(mask & ((1u << octant) - 1));
  }
  NEARFAR_FUNCTION std::int32_t near_box(std::int32_t b, int way) const {
    return near[std::int64_t(b) * counts.near() + way];
  }
  /// The box with sources at an unwrapped place on the level of box b, whose parents are near each other; -1: none.
  NEARFAR_FUNCTION std::int32_t box_at(std::int32_t b, std::int32_t const own[3], std::int32_t const place[3]) const {
    std::int32_t way[3];
    for (int d = 0; d < 3; ++d) way[d] = (place[d] >> 1) - (own[d] >> 1);
    std::int32_t const other = near_box(all.parent[b], counts.number_of_way(way));
    if (other < 0) return -1;
    std::int32_t const found = child(other, octant_of(place[0], place[1], place[2]));
    return found >= 0 && sources(found) > 0 ? found : -1;
  }
};

}  // namespace nearfar
