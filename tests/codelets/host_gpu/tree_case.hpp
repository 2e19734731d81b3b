// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/curve.hpp"
#include "codelets/tree/grow_tree.hpp"
#include "codelets/tree/tree_gpu.hpp"
#include "core/tree/lists/lists.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/core/tree/tree_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace nearfar::test {

/// Either way to run the stages.
struct TreeWay {
  template <class Stage, class Launch>
  void run(Buffers const& b, typename Stage::Args const& args, Launch const& launch) const {
    if (gpu) launch(b, args, nullptr);
    else Stage::portable(b, args);
  }
  bool gpu;
};

template <class T>
struct TreeCase {
  std::string kind;
  TreeShape shape;
  std::uint32_t few = 0;
  std::vector<T> rows{}, target_rows{};  ///< no targets if they are the sources
  RootPlace place{};
  int level = 16, parts = 1;

  TreeCase(std::string const& of_points, std::size_t count, TreeShape const& s, std::uint32_t few_points = 0,
           std::string const& of_targets = {}, std::size_t targets = 0)
      : kind(of_points), shape(s), few(few_points), rows(points(of_points, count, 1)) {
    if (targets > 0) target_rows = points(of_targets, targets, 2);
    place.periodic = shape.periodic;
    for (int d = 0; d < 3; ++d) {
      place.frame.cells.edge[d] = 1;
      place.frame.cells.periodic[d] = shape.periodic;
      place.centre[d] = shape.periodic ? 0.5 : 0.01;
      place.near_origin[d] = -0.25;
    }
    if (!shape.periodic) shape.half = 0.52;
  }
  bool same() const { return target_rows.empty(); }
  TreeCase in_parts(int count) const {
    TreeCase cut = *this;
    cut.parts = count;
    return cut;
  }

 private:
  std::vector<T> points(std::string const& of, std::size_t count, unsigned seed) const {
    std::vector<T> found;
    for (double x : tree_points(of, count, seed)) found.push_back(T(shape.periodic ? x + 3.25 : x));
    return found;
  }
};

/// What the host makes of it.
struct TreeOfHost {
  SortedKeys keys, target_keys;
  Tree tree;
  std::uint32_t few;
  int top, parts = 1;
  TreeBlocks blocks;
  std::vector<BlockLists> lists;

  template <class T>
  explicit TreeOfHost(TreeCase<T> const& c) : keys(sorted_keys(c, c.rows)), few(c.few), top(top_of(c.shape)) {
    if (!c.same()) target_keys = sorted_keys(c, c.target_rows);
    tree = make_tree(c.shape, keys, target_keys, c.same() ? Targets::sources : Targets::own);
  }
  /// Blocks of a tree that is cut as the GPU cuts it, and their lists.
  void cut(BoxCounts const& counts, PartBegins const& begins) {
    BoxTree const outline = outline_of(counts, begins);
    parts = counts.parts;
    for (int l = 0; l <= counts.depth; ++l) blocks.local_boxes.emplace_back(tree.levels[std::size_t(l)].size());
    for (int n = 0; n < 2 * (counts.depth + 1) * parts; ++n) {
      BoxBlock const of = BoxBlock::of(n, parts);
      TreeBlock block{of.level, of.of_leaves, {}, 0, 0};
      auto const& level = tree.levels[std::size_t(of.level)];
      for (int b = outline.part_begin(of.level, of.part).box; b < outline.part_begin(of.level, of.part + 1).box; ++b) {
        TreeBox const& box = level[std::size_t(b)];
        if (box.is_leaf() != of.of_leaves) continue;
        blocks.local_boxes[std::size_t(of.level)][std::size_t(b)] = {
            std::int32_t(blocks.blocks.size()), block.size(), std::int32_t(block.sources), std::int32_t(block.targets)};
        block.boxes.push_back(b);
        block.sources += box.sources();
        block.targets += box.targets();
      }
      REQUIRE(block.size() == outline.size(of));
      numbers_.push_back(block.boxes.empty() ? -1 : int(blocks.blocks.size()));
      if (!block.boxes.empty()) blocks.blocks.push_back(std::move(block));
    }
    InteractionLists const found(tree, few);
    for (int b = 0; b < int(blocks.blocks.size()); ++b) lists.push_back(lists_of(tree, found, blocks, b, {top, false}));
  }
  /// Number of the block on the host; -1: none.
  int block(BoxBlock const& of) const { return numbers_[std::size_t(of.number(parts))]; }

 private:
  std::vector<int> numbers_;  ///< of blocks

  template <class T>
  static SortedKeys sorted_keys(TreeCase<T> const& c, std::vector<T> const& rows) {
    std::vector<MortonKey> all;
    for (std::size_t i = 0; i < rows.size(); i += 3) {
      T relative[3], near[3];
      REQUIRE(c.place(&rows[i], relative, near));
      all.push_back(point_key(c.shape, relative, c.level));
    }
    return sorted(all, c.level);
  }
};

using Words = std::vector<std::int32_t>;

/// The caller's points, in so many arrays.
template <class T>
RowCut add_rows(LocalBuffers& b, std::vector<T>& rows, int arrays) {
  b.access();
  RowCut cut(arrays > 1 ? RowCut::uneven : whole_rows);
  std::size_t const all = rows.size() / 3;
  for (std::size_t a = 0; a < std::size_t(arrays); ++a) {
    std::size_t const first = all * a / std::size_t(arrays), last = all * (a + 1) / std::size_t(arrays);
    cut.first[a] = std::uint32_t(first);
    b.add(rows.data() + 3 * first, 3 * (last - first));
  }
  return cut;
}

/// Points of one side along the curve.
template <class T>
struct CurveCase {
  std::vector<T> rows;
  std::vector<MortonKey> keys;
  std::vector<std::uint32_t> order;
  std::vector<std::uint64_t> counted;
  std::vector<int> levels;  ///< with a box of more points than each power of two

  CurveCase(TreeCase<T> const& c, std::vector<T> const& given, SortedKeys const& expected, TreeWay const& way)
      : rows(given), keys(rows.size() / 3), order(keys.size()) {
    constexpr int deepest = 9;
    int const last = std::min(deepest, c.level);
    constexpr int powers = CrowdsAtPoint::most;
    std::size_t const numbers = std::size_t(3 * (last + 1));
    counted.assign(numbers + powers, 77);
    LocalBuffers b;
    RowCut const cut = add_rows(b, rows, c.parts);
    b.access().add(keys).add(order).access().add(counted);
    way.run<SortCurve<T>>(b.view(), {c.place, c.shape, std::int64_t(keys.size()), c.level, last, powers, cut},
                          launch_sort_curve<T>);
    CHECK(std::equal(keys.begin(), keys.end(), expected.keys.begin()));
    CHECK(std::equal(order.begin(), order.end(), expected.order.begin()));
    Occupancy const found = occupancy(expected, last);
    for (std::size_t d = 0; d < found.boxes.size(); ++d) {
      CHECK(double(counted[3 * d]) == found.boxes[d]);
      CHECK(double(counted[3 * d + 1]) == found.pairs[d]);
      CHECK(double(counted[3 * d + 2]) / double(counted[3 * d]) == found.siblings[d]);
    }
    std::vector<std::int64_t> most;  // points in a box, by level
    for (int l = 0; l <= c.level; ++l) {
      std::int64_t here = 0;
      most.push_back(0);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        bool const same = i > 0 && (expected.keys[i] ^ expected.keys[i - 1]) >> 3 * (c.level - l) == 0;
        here = same ? here + 1 : 1;
        most.back() = std::max(most.back(), here);
      }
    }
    for (int power = 0; power < powers; ++power) {
      int crowded = 0;
      for (int l = 0; l <= c.level; ++l)
        if (most[std::size_t(l)] > CrowdsAtPoint::points_of(power)) crowded = l + 1;
      levels.push_back(int(counted[numbers + std::size_t(power)]));
      CHECK(levels.back() == crowded);
    }
  }
};

/// The arrays of boxes that stages hand on.
struct BoxesCase {
  std::vector<MortonKey> key;
  Words parent, child, children;
  std::vector<std::uint32_t> source;
  Words leaves, first_source;
  std::vector<std::uint32_t> target;
  Words first_target, in_block, near;
  std::vector<PartBegin> parts;
  bool same;

  BoxesCase(std::size_t room, bool same_points)
      : key(room), parent(room), child(room), children(room), source(2 * room), leaves(room + 1),
        first_source(room + 1), target(2 * room), first_target(room + 1), in_block(room), same(same_points) {}
  void add_to(LocalBuffers& b) {
    b.access().add(key).add(parent).add(child).add(children).add(source).add(leaves).add(first_source);
    if (!same) b.add(target).add(first_target);
  }
  void add_near_to(LocalBuffers& b) {
    b.access().add(in_block).add(near);
    if (!parts.empty()) b.add(parts);
  }
};

}  // namespace nearfar::test
