// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/table_counts.hpp"

namespace nearfar {

// What pair tables will hold: U, W and X. Leaves are counted in the order of their numbers, boxes in that of blocks.

/// Leaf `i` of its block, its place among all, and its box.
struct LeafAt {
  BoxBlock block;
  std::int32_t i, number, box;

  NEARFAR_FUNCTION static LeafAt of(BoxTree const& tree, BoxBlock const& block, std::int32_t i) {
    return {block, i, tree.first_leaf(block) + i, tree.in_block[tree.begin(block) + i]};
  }
  /// By its place among all. One launch for all levels: each would wait for its slowest leaf.
  NEARFAR_FUNCTION static LeafAt of_all(BoxTree const& tree, std::int64_t number) {
    BoxBlock block{0, true};
    for (; number >= tree.counts.leaves[block.level]; ++block.level) number -= tree.counts.leaves[block.level];
    while (number >= tree.part_begin(block.level, block.part + 1).leaf) ++block.part;
    return of(tree, block, std::int32_t(number) - tree.part_begin(block.level, block.part).leaf);
  }
  /// By its place among those of a part, level by level.
  NEARFAR_FUNCTION static LeafAt of_part(BoxTree const& tree, int part, std::int64_t number) {
    BoxBlock block{0, true, part};
    for (; number >= tree.size(block); ++block.level) number -= tree.size(block);
    return of(tree, block, std::int32_t(number));
  }
};

/// Whether a box begins a run after those that were seen.
NEARFAR_FUNCTION bool begins_run(BoxTree const& tree, RunJoiner& joiner, ImageBox const& box) {
  std::int32_t const first = tree.first_source(box.box, box.level);
  return joiner.begins(box, tree.part_of(box.box, box.level), first, first + std::int32_t(tree.sources(box.box)));
}

/// Runs of U of leaf i % leaves on level i / leaves, and the sources in them.
struct CountRuns {
  BoxWalk walk;
  TableCounts tables;
  std::int32_t* seen;  ///< [level][leaf]

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::int64_t const leaves = tables.counts.all_leaves(), l = i / leaves;
    LeafAt const leaf = LeafAt::of_all(walk.tree, i % leaves);
    std::int32_t runs = 0, sources = 0;
    int const parts = tables.counts.parts, block = leaf.block.number(parts);
    if (walk.tree.targets(leaf.box) > 0) {
      RunJoiner joiner;
      walk.visit_u(walk.seer(leaf.box, leaf.block.level), tables.level(l, leaf.block.level), [&](ImageBox const& box) {
        sources += std::int32_t(walk.tree.sources(box.box));
        if (!begins_run(walk.tree, joiner, box)) return;
        ++runs;
        tables.mark_read(ReadBy::p2p, block, walk.tree.block_of(box.box, box.level).number(parts));
      });
    }
    tables.runs_of(leaf.number)[l] = runs;
    seen[i] = sources;
  }
};
/// The W of leaf i / near within its near box i % near; and what the leaf's U sees.
struct CountFar {
  BoxWalk walk;
  TableCounts tables;
  std::int32_t const* seen;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::int64_t const leaves = tables.counts.all_leaves(), number = i / tables.near();
    LeafAt const leaf = LeafAt::of_all(walk.tree, number);
    int const parts = tables.counts.parts, block = leaf.block.number(parts), k = int(i % tables.near());
    std::int32_t far = 0, sources = 0;
    if (walk.tree.targets(leaf.box) > 0)
      walk.visit_w(walk.seer(leaf.box, leaf.block.level), k, [&](ImageBox const& box) {
        ++far;
        tables.mark_read(ReadBy::m2p, block, walk.tree.block_of(box.box, box.level).number(parts));
      });
    tables.far_of(leaf.number)[k] = far;
    if (k > 0) return;
    for (int l = 0; l < tables.levels(); ++l) sources += seen[l * leaves + number];
    tables.seen()[leaf.number] = sources;
  }
};
/// Of box i in the order of blocks.
struct CountLarger {
  BoxWalk walk;
  TableCounts tables;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::int32_t const b = walk.tree.in_block[i];
    int const level = tables.counts.level_of(b), parts = tables.counts.parts,
              block = walk.tree.block_of(b, level).number(parts);
    std::int32_t runs = 0, seen = 0;
    if (walk.tree.targets(b) > 0) {
      RunJoiner joiner;
      walk.visit_x(walk.seer(b, level), [&](ImageBox const& box) {
        seen += std::int32_t(walk.tree.sources(box.box));
        if (!begins_run(walk.tree, joiner, box)) return;
        ++runs;
        tables.mark_read(ReadBy::p2l, block, walk.tree.block_of(box.box, box.level).number(parts));
      });
    }
    tables.x_runs()[i] = runs;
    tables.x_seen()[i] = seen;
  }
};

/// Of each block pairs, points times boxes, and points for its leaves; sources of X, and points, of its boxes:
/// [block][which][thread]. After W has been added up.
struct PartPoints {
  static constexpr int sums = 5;
  BoxTree tree;
  TableCounts tables;
  std::int64_t threads;
  std::uint64_t* parts;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int const number = int(i / threads);
    std::int64_t const t = i % threads;
    BoxBlock const block = BoxBlock::of(number, tables.counts.parts);
    std::int32_t const begin = tree.begin(block), size = tree.size(block), leaf = tree.first_leaf(block);
    std::uint64_t sum[sums] = {};
    for (std::int64_t k = t; k < size; k += threads) {
      std::int32_t const b = tree.in_block[begin + k];
      std::uint64_t const targets = tree.targets(b);
      if (block.of_leaves) {
        sum[0] += targets * std::uint64_t(tables.seen()[leaf + k]);
        sum[1] += targets * std::uint64_t(*tables.far_of(leaf + k + 1) - *tables.far_of(leaf + k));
      }
      sum[2] += std::uint64_t(tables.x_seen()[begin + k]);
      sum[3] += tree.sources(b);
      sum[4] += targets;
    }
    for (int s = 0; s < sums; ++s) parts[(number * sums + s) * threads + t] = sum[s];
  }
};
/// After runs have been added up.
struct TakePoints {
  BoxTree tree;
  TableCounts tables;
  std::uint64_t const* sums;  ///< [block][which]

  NEARFAR_FUNCTION void operator()(std::int64_t number) const {
    auto const between = [](std::int32_t const* begin, std::int32_t first, std::int32_t count) {
      return std::uint64_t(begin[first + count] - begin[first]);
    };
    BoxBlock const block = BoxBlock::of(int(number), tables.counts.parts);
    std::int32_t const size = tree.size(block), leaf = tree.first_leaf(block), leaves = block.of_leaves ? size : 0;
    std::uint64_t const* const sum = sums + PartPoints::sums * number;
    tables.of_block(int(number)) = {std::uint64_t(tables.runs_between(leaf, leaves)),
                                    sum[0],
                                    std::uint64_t(*tables.far_of(leaf + leaves) - *tables.far_of(leaf)),
                                    sum[1],
                                    between(tables.x_runs(), tree.begin(block), size),
                                    sum[2],
                                    sum[3],
                                    sum[4]};
  }
};
template <class Device>
void count_points(Device& device, BoxWalk const& walk, TableCounts const& tables) {
  constexpr char what[] = "counts runs of points";
  BoxCounts const& counts = tables.counts;
  auto* const seen = device.template room<std::int32_t>(tables.all_runs());
  device.for_all(tables.all_runs(), CountRuns{walk, tables, seen}, what);
  device.for_all(tables.all_near(), CountFar{walk, tables, seen}, what);
  if (counts.on_one_level())
    device.for_all(2 * (std::int64_t(counts.all()) + 1), SetTo0<std::int32_t>{tables.x_runs()}, what);
  else device.for_all(counts.all(), CountLarger{walk, tables}, what);
  begin_counts(device, tables.far(), tables.all_near());
  constexpr std::int64_t threads = Device::threads;
  int const rows = PartPoints::sums * tables.blocks();
  auto* const parts = device.template room<std::uint64_t>(rows * threads);
  auto* const sums = device.template room<std::uint64_t>(rows);
  device.for_all(tables.blocks() * threads, PartPoints{walk.tree, tables, threads, parts}, what);
  device.template reduced<Sum>(parts, rows, threads, sums);
  begin_counts(device, tables.runs(), tables.all_runs());
  begin_counts(device, tables.x_runs(), counts.all());
  device.for_all(tables.blocks(), TakePoints{walk.tree, tables, sums}, what);
}

}  // namespace nearfar
