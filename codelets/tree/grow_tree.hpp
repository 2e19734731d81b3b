// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/boxes.hpp"

namespace nearfar {

/// Points along the curve.
struct CurvePoints {
  MortonKey const* keys;
  std::int64_t count;
  int level;  ///< of the keys

  /// The first of the points first .. last whose box below a box of level `above` is in this octant or a later one.
  NEARFAR_FUNCTION std::uint32_t octant_begin(std::uint32_t first, std::uint32_t last, int above, int octant) const {
    int const shift = 3 * (level - above - 1);
    while (first < last) {
      std::uint32_t const middle = first + (last - first) / 2;
      if (int(keys[middle] >> shift & 7) < octant) first = middle + 1;
      else last = middle;
    }
    return first;
  }
};

/// What a tree is grown from, level by level: how many boxes there are is known only where it grows.
struct GrowTree {
  CurvePoints sources, targets;  ///< no targets if they are the sources
  int depth, capacity;           ///< as in TreeShape
  std::int32_t room;             ///< for so many boxes; if there are more, the tree has holes, and `begin` tells
  BoxArrays out;
  std::int32_t* begin;  ///< of each level, and the end; while it grows, one more

  NEARFAR_FUNCTION bool same() const { return out.target == out.source; }
  NEARFAR_FUNCTION std::int32_t size(int level) const {
    std::int32_t const first = begin[level] < room ? begin[level] : room,
                       last = begin[level + 1] < room ? begin[level + 1] : room;
    return last - first;
  }
  NEARFAR_FUNCTION bool is_divided(std::int32_t b, int level) const {
    return level < depth && out.exceeds(b, capacity);
  }
};

struct PlantRoot {
  GrowTree tree;

  NEARFAR_FUNCTION void operator()(std::int64_t) const {
    tree.begin[0] = 0;
    tree.begin[1] = 1;
    tree.out.key[0] = 0;
    tree.out.parent[0] = -1;
    tree.out.source[0] = 0;
    tree.out.source[1] = std::uint32_t(tree.sources.count);
    if (tree.same()) return;
    tree.out.target[0] = 0;
    tree.out.target[1] = std::uint32_t(tree.targets.count);
  }
};

/// Where the points of each octant begin, of each box on a level that is divided.
struct FindOctants {
  GrowTree tree;
  int level;
  std::uint32_t *sources, *targets;  ///< [box][octant]

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::int32_t const b = tree.begin[level] + std::int32_t(i / 8);
    if (i / 8 >= tree.size(level) || !tree.is_divided(b, level)) return;
    auto const* const s = tree.out.source + 2 * std::int64_t(b);
    sources[i] = tree.sources.octant_begin(s[0], s[1], level, int(i % 8));
    if (tree.same()) return;
    auto const* const t = tree.out.target + 2 * std::int64_t(b);
    targets[i] = tree.targets.octant_begin(t[0], t[1], level, int(i % 8));
  }
};
struct CountChildren {
  FindOctants octants;
  std::int32_t* counts;

  NEARFAR_FUNCTION static bool holds(std::uint32_t const* begin, std::uint32_t end, int octant) {
    return begin[octant] < (octant < 7 ? begin[octant + 1] : end);
  }
  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    GrowTree const& tree = octants.tree;
    counts[i] = 0;
    if (i >= tree.size(octants.level)) return;
    std::int32_t const b = tree.begin[octants.level] + std::int32_t(i);
    std::uint32_t mask = 0;
    if (tree.is_divided(b, octants.level))
      for (int o = 0; o < 8; ++o)
        if (holds(octants.sources + 8 * i, tree.out.source[2 * b + 1], o) ||
            (!tree.same() && holds(octants.targets + 8 * i, tree.out.target[2 * b + 1], o)))
          mask |= 1u << o;
    tree.out.children[b] = std::int32_t(mask);
    tree.out.first_child[b] = 0;
    counts[i] = bits_of(mask);
  }
};
/// After the counts have been added up; also ends the level below.
struct WriteChild {
  FindOctants octants;
  std::int32_t const* counts;
  std::int32_t most;  ///< boxes of the level, whose children are all counts

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    GrowTree const& tree = octants.tree;
    BoxArrays const& out = tree.out;
    int const level = octants.level, octant = int(i % 8);
    if (i == 0) tree.begin[level + 2] = tree.begin[level + 1] + counts[most];
    if (i / 8 >= tree.size(level)) return;
    std::int32_t const b = tree.begin[level] + std::int32_t(i / 8);
    auto const mask = std::uint32_t(out.children[b]);
    std::int32_t const first = tree.begin[level + 1] + counts[i / 8];
    if (octant == 0 && mask != 0) out.first_child[b] = first;
    if ((mask >> octant & 1) == 0) return;
    std::int32_t const child = first + bits_of(mask & ((1u << octant) - 1));
    if (child >= tree.room) return;
    out.key[child] = out.key[b] << 3 | std::uint64_t(octant);
    out.parent[child] = b;
    auto const take = [&](std::uint32_t const* begin, std::uint32_t* range) {
      range[2 * child] = begin[i];
      range[2 * child + 1] = octant < 7 ? begin[i + 1] : range[2 * b + 1];
    };
    take(octants.sources, out.source);
    if (!tree.same()) take(octants.targets, out.target);
  }
};
/// On the last level no box is divided.
struct EndBranch {
  GrowTree tree;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    if (i >= tree.size(tree.depth)) return;
    std::int32_t const b = tree.begin[tree.depth] + std::int32_t(i);
    tree.out.children[b] = tree.out.first_child[b] = 0;
  }
};

/// What is added up: for each box whether it is a leaf, and how many points it then has.
struct FlagLeaf {
  GrowTree tree;
  int levels;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    bool const leaf = i < tree.begin[levels] && i < tree.room && tree.out.children[i] == 0;
    tree.out.leaves[i] = leaf ? 1 : 0;
    tree.out.first_source[i] = leaf ? std::int32_t(tree.out.source[2 * i + 1] - tree.out.source[2 * i]) : 0;
    if (!tree.same())
      tree.out.first_target[i] = leaf ? std::int32_t(tree.out.target[2 * i + 1] - tree.out.target[2 * i]) : 0;
  }
};
/// For each level the end of its boxes, its leaves, and the sources and targets in these.
struct TakeLevel {
  static constexpr int numbers = 4;
  GrowTree tree;
  std::uint64_t* totals;

  NEARFAR_FUNCTION void operator()(std::int64_t level) const {
    auto const bound = [&](std::int64_t l) { return tree.begin[l] < tree.room ? tree.begin[l] : tree.room; };
    std::int32_t const first = bound(level), last = bound(level + 1);
    auto const between = [&](std::int32_t const* sums) { return std::uint64_t(sums[last] - sums[first]); };
    std::uint64_t* const out = totals + numbers * level;
    out[0] = std::uint64_t(tree.begin[level + 1]);
    out[1] = between(tree.out.leaves);
    out[2] = between(tree.out.first_source);
    out[3] = between(tree.out.first_target);
  }
};
/// Pairs of sources that share a leaf.
struct CrowdOfBox {
  GrowTree tree;
  int levels;

  NEARFAR_FUNCTION void operator()(std::int64_t b, std::uint64_t* pairs) const {
    if (b >= tree.begin[levels] || tree.out.children[b] != 0) return;
    std::uint64_t const sources = tree.out.source[2 * b + 1] - tree.out.source[2 * b];
    *pairs += sources * sources;
  }
};

/// Numbers that grow_tree writes for a tree down to this depth.
constexpr int numbers_of_tree(int depth) { return TakeLevel::numbers * (depth + 1) + 1; }

/// Finds leaves, and where their points begin, once all boxes are there. `totals`: TakeLevel of each level; CrowdOfBox.
template <class Device>
void measure_tree(Device& device, GrowTree const& tree, std::uint64_t* totals) {
  constexpr char what[] = "measures a tree";
  int const levels = tree.depth + 1;
  std::int64_t const numbers = std::int64_t(tree.room) + 1;
  device.for_all(numbers, FlagLeaf{tree, levels}, what);
  device.begin_all(tree.out.leaves, numbers);
  device.begin_all(tree.out.first_source, numbers);
  if (!tree.same()) device.begin_all(tree.out.first_target, numbers);
  device.for_all(levels, TakeLevel{tree, totals}, what);
  device.template reduce<Sum, 1>(tree.room, CrowdOfBox{tree, levels}, 1, totals + TakeLevel::numbers * levels, what);
}

/// Boxes, level by level, of which there are at most `most` on each. `totals`: as measure_tree writes them.
template <class Device>
void grow_tree(Device& device, GrowTree tree, std::int32_t const* most, std::uint64_t* totals) {
  constexpr char what[] = "makes boxes";
  int const levels = tree.depth + 1;
  std::int32_t largest = 1;
  for (int l = 0; l < tree.depth; ++l) largest = most[l] > largest ? most[l] : largest;
  tree.begin = device.template room<std::int32_t>(levels + 2);
  auto* const counts = device.template room<std::int32_t>(largest + 1);
  auto* const sources = device.template room<std::uint32_t>(8 * std::int64_t(largest));
  auto* const targets = tree.same() ? nullptr : device.template room<std::uint32_t>(8 * std::int64_t(largest));
  device.for_all(1, PlantRoot{tree}, what);
  for (int l = 0; l < tree.depth; ++l) {
    FindOctants const octants{tree, l, sources, targets};
    device.for_all(8 * std::int64_t(most[l]), octants, what);
    device.for_all(std::int64_t(most[l]) + 1, CountChildren{octants, counts}, what);
    device.begin_all(counts, std::int64_t(most[l]) + 1);
    device.for_all(8 * std::int64_t(most[l] > 0 ? most[l] : 1), WriteChild{octants, counts, most[l]}, what);
  }
  device.for_all(most[tree.depth], EndBranch{tree}, what);
  measure_tree(device, tree, totals);
}

}  // namespace nearfar
