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
  static constexpr int most_levels = deepest_level + 1, most_parts = 8;
  static constexpr std::uint8_t no_way = 255;  ///< a number that no displacement of a near box has
  int depth = 0, separation = 1;
  bool periodic = false;
  std::int32_t begin[most_levels + 1] = {};  ///< of each level; [depth + 1]: the end
  std::int32_t leaves[most_levels] = {};     ///< of each level
  int parts = 1;                             ///< into which the tree is cut, one for each GPU

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

/// The inner boxes or the leaves of one level that are in one part: what one task of a solve takes
/// (core/tree/blocks.hpp).
struct BoxBlock {
  int level;
  bool of_leaves;
  int part = 0;

  /// By level, inner ones first, as core/tree/blocks.hpp has them.
  NEARFAR_FUNCTION int number(int parts) const { return (2 * level + (of_leaves ? 1 : 0)) * parts + part; }
  NEARFAR_FUNCTION static BoxBlock of(int number, int parts) {
    return {number / parts / 2, number / parts % 2 != 0, number % parts};
  }
};

/// Boxes and leaves of a level that are before a part.
struct PartBegin {
  std::int32_t box, leaf;
};
/// Those of all parts but the first: [level][part - 1].
struct PartBegins {
  PartBegin of[BoxCounts::most_levels * (BoxCounts::most_parts - 1)];
};

/// Boxes as GrowTree makes them.
struct BoxArrays {
  MortonKey* key;
  std::int32_t *parent, *first_child;  ///< -1 for the root; 0 for leaves
  std::int32_t* children;              ///< a bit for each octant that is occupied; none: a leaf
  std::uint32_t *source, *target;  ///< where its points begin and end along the curve; one array if they are the same
  std::int32_t *leaves, *first_source, *first_target;  ///< leaves, and their points, before it; and all

  /// Whether it has more sources or targets than a leaf may have.
  NEARFAR_FUNCTION bool exceeds(std::int32_t b, int capacity) const {
    std::uint32_t const sources = source[2 * b + 1] - source[2 * b], targets = target[2 * b + 1] - target[2 * b];
    return (sources > targets ? sources : targets) > std::uint32_t(capacity);
  }
};

/// A tree of which more and more is known.
struct BoxTree {
  BoxCounts counts;
  BoxArrays all;
  std::int32_t* in_block;  ///< boxes block by block, inner ones first on each level
  std::int32_t* near;      ///< [box][displacement]: with sources, maybe in another image of the cell; -1: none
  PartBegin const* parts = nullptr;  ///< as PartBegins; not read of a single part

  NEARFAR_FUNCTION bool is_leaf(std::int32_t b) const { return all.children[b] == 0; }
  NEARFAR_FUNCTION std::uint32_t sources(std::int32_t b) const { return all.source[2 * b + 1] - all.source[2 * b]; }
  NEARFAR_FUNCTION std::uint32_t targets(std::int32_t b) const { return all.target[2 * b + 1] - all.target[2 * b]; }
  /// A part on a level, or after the last one the end of the level.
  NEARFAR_FUNCTION PartBegin part_begin(int level, int part) const {
    if (part == 0) return {0, 0};
    if (part == counts.parts) return {counts.size(level), counts.leaves[level]};
    return parts[level * (counts.parts - 1) + part - 1];
  }
  NEARFAR_FUNCTION int part_of(std::int32_t b, int level) const {
    int part = 0;
    while (part + 1 < counts.parts && b - counts.begin[level] >= part_begin(level, part + 1).box) ++part;
    return part;
  }
  NEARFAR_FUNCTION BoxBlock block_of(std::int32_t b, int level) const { return {level, is_leaf(b), part_of(b, level)}; }
  /// Of the boxes of a block in `in_block`.
  NEARFAR_FUNCTION std::int32_t begin(BoxBlock const& block) const {
    PartBegin const part = part_begin(block.level, block.part);
    return counts.begin[block.level] + (block.of_leaves ? counts.inner(block.level) + part.leaf : part.box - part.leaf);
  }
  NEARFAR_FUNCTION std::int32_t size(BoxBlock const& block) const {
    return begin({block.level, block.of_leaves, block.part + 1}) - begin(block);
  }
  /// The first leaf of a block of leaves, among all in the order of levels.
  NEARFAR_FUNCTION std::int32_t first_leaf(BoxBlock const& block) const {
    return counts.leaves_above(block.level) + part_begin(block.level, block.part).leaf;
  }
  /// Its place in `in_block`.
  NEARFAR_FUNCTION std::int32_t place(std::int32_t b, int level) const {
    std::int32_t const first = counts.begin[level], leaves = all.leaves[b] - all.leaves[first];
    return is_leaf(b) ? first + counts.inner(level) + leaves : b - leaves;
  }
  /// Among the boxes of its block.
  NEARFAR_FUNCTION std::int32_t local(std::int32_t b, int level) const {
    return place(b, level) - begin(block_of(b, level));
  }
  /// Where its points begin in a block of leaves.
  NEARFAR_FUNCTION std::int32_t first_source(std::int32_t b, int level) const {
    return all.first_source[b] - all.first_source[first_of_part(b, level)];
  }
  NEARFAR_FUNCTION std::int32_t first_target(std::int32_t b, int level) const {
    return all.first_target[b] - all.first_target[first_of_part(b, level)];
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

 private:
  NEARFAR_FUNCTION std::int32_t first_of_part(std::int32_t b, int level) const {
    return counts.begin[level] + part_begin(level, part_of(b, level)).box;
  }
};

/// As much of a tree as the host knows: where its blocks are.
inline BoxTree outline_of(BoxCounts const& counts, PartBegins const& parts) {
  return {counts, {}, nullptr, nullptr, parts.of};
}

}  // namespace nearfar
