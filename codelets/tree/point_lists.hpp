// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/table_counts.hpp"
#include "core/tree/cut_of_leaf.hpp"
#include "core/tree/tables.hpp"

namespace nearfar {

// Pair tables: U, W and X. Leaves are counted in the order of their numbers, boxes in that of blocks.

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
/// The W of each leaf, and what its U sees.
struct CountFar {
  BoxWalk walk;
  TableCounts tables;
  std::int32_t const* seen;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::int64_t const leaves = tables.counts.all_leaves();
    LeafAt const leaf = LeafAt::of_all(walk.tree, i);
    int const parts = tables.counts.parts, block = leaf.block.number(parts);
    std::int32_t far = 0, sources = 0;
    if (walk.tree.targets(leaf.box) > 0)
      walk.visit_w(walk.seer(leaf.box, leaf.block.level), [&](ImageBox const& box) {
        ++far;
        tables.mark_read(ReadBy::m2p, block, walk.tree.block_of(box.box, box.level).number(parts));
      });
    for (int l = 0; l < tables.levels(); ++l) sources += seen[l * leaves + i];
    tables.far()[leaf.number] = far;
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
/// [block][which][thread].
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
        sum[1] += targets * std::uint64_t(tables.far()[leaf + k]);
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
                                    between(tables.far(), leaf, leaves),
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
  device.for_all(counts.all_leaves(), CountFar{walk, tables, seen}, what);
  if (counts.on_one_level())
    device.for_all(2 * (std::int64_t(counts.all()) + 1), SetTo0<std::int32_t>{tables.x_runs()}, what);
  else device.for_all(counts.all(), CountLarger{walk, tables}, what);
  constexpr std::int64_t threads = Device::threads;
  int const rows = PartPoints::sums * tables.blocks();
  auto* const parts = device.template room<std::uint64_t>(rows * threads);
  auto* const sums = device.template room<std::uint64_t>(rows);
  device.for_all(tables.blocks() * threads, PartPoints{walk.tree, tables, threads, parts}, what);
  device.template reduced<Sum>(parts, rows, threads, sums);
  begin_counts(device, tables.runs(), tables.all_runs());
  begin_counts(device, tables.far(), counts.all_leaves());
  begin_counts(device, tables.x_runs(), counts.all());
  device.for_all(tables.blocks(), TakePoints{walk.tree, tables, sums}, what);
}

/// How many pieces GPUs cut each leaf of a part into, given the pairs of its block.
struct CountPieces {
  BoxTree tree;
  TableCounts tables;
  int part;

  NEARFAR_FUNCTION CutOfLeaf cut(LeafAt const& leaf) const {
    auto const pairs = double(tables.of_block(leaf.block.number(tables.counts.parts)).pairs);
    return CutOfLeaf(pairs, tree.targets(leaf.box), tables.seen()[leaf.number]);
  }
  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    tables.pieces[i] = cut(LeafAt::of_part(tree, part, i)).pieces();
  }
};

/// The tables of a block of leaves.
struct LeafTables {
  std::int32_t *sources, *targets, *p2p, *m2p;  ///< null: none
};

/// Writes where the items of target i of so many begin, and before the first one the head; returns the items. `begin`:
/// so many of each target.
template <class Item>
NEARFAR_FUNCTION Item* begin_items(std::int32_t* words, std::int64_t i, std::int64_t targets, std::int32_t const* begin,
                                   std::int64_t each = 1) {
  constexpr int head = PairTable<Item>::head;
  auto const before = [&](std::int64_t target) { return begin[each * target] - begin[0]; };
  if (i == 0) {
    words[0] = std::int32_t(targets);
    words[1] = before(targets);
    words[2] = words[3] = 0;
  }
  reinterpret_cast<Range*>(words + head)[i] = {before(i), before(i + 1) - before(i)};
  return reinterpret_cast<Item*>(words + head + 2 * targets) + before(i);
}
/// Appends the runs of boxes that follow each other.
struct RunWriter {
  BoxTree tree;
  TableCounts tables;
  ReadBy reader;
  int block;
  PointRun* next;
  RunJoiner joiner{};

  NEARFAR_FUNCTION void operator()(ImageBox const& box) {
    std::int32_t const first = tree.first_source(box.box, box.level);
    if (begins_run(tree, joiner, box))
      *next++ = {tables.buffer(reader, block, tree.block_of(box.box, box.level).number(tables.counts.parts)),
                 first,
                 0,
                 {box.image[0], box.image[1], box.image[2]}};
    next[-1].last = first + std::int32_t(tree.sources(box.box));
  }
};

struct WriteLeaf {
  BoxWalk walk;
  TableCounts tables;
  CountPieces pieces;
  LeafTables of_level[BoxCounts::most_levels];

  NEARFAR_FUNCTION void operator()(std::int64_t number) const {
    BoxTree const& tree = walk.tree;
    LeafAt const leaf = LeafAt::of_part(tree, pieces.part, number);
    int const level = leaf.block.level, parts = tables.counts.parts, block = leaf.block.number(parts);
    std::int32_t const i = leaf.i, leaves = tree.size(leaf.block), first_leaf = leaf.number - i;
    LeafTables const& out = of_level[level];
    std::int32_t const* const piece = tables.pieces + number - i;
    auto* const cut = reinterpret_cast<LeafCut*>(out.p2p + PairTable<PointRun>::head + 2 * std::int64_t(leaves) +
                                                 6 * std::int64_t(tables.runs_between(first_leaf, leaves)));
    int const splits = pieces.cut(leaf).splits;
    cut[i] = {piece[i] - piece[0], splits, tables.seen()[leaf.number]};
    if (i == leaves - 1) cut[leaves] = {piece[leaves] - piece[0], splits, tables.seen()[leaf.number]};
    std::int32_t const b = leaf.box;
    BoxWalk::Seer const from = walk.seer(b, level);
    auto const put = [&](std::int32_t* table, std::int32_t first, std::uint32_t points) {
      reinterpret_cast<Leaf*>(table)[i] = {{from.at[0], from.at[1], from.at[2]}, first, first + std::int32_t(points)};
    };
    put(out.sources, tree.first_source(b, level), tree.sources(b));
    if (out.targets != nullptr) put(out.targets, tree.first_target(b, level), tree.targets(b));
    begin_items<PointRun>(out.p2p, i, leaves, tables.runs_of(first_leaf), tables.levels());
    if (out.m2p == nullptr) return;
    FarBox* next = begin_items<FarBox>(out.m2p, i, leaves, tables.far() + first_leaf);
    if (tree.targets(b) == 0) return;
    walk.visit_w(from, [&](ImageBox const& box) {
      FarBox far{tables.buffer(ReadBy::m2p, block, tree.block_of(box.box, box.level).number(parts)),
                 tree.local(box.box, box.level),
                 box.level,
                 {}};
      place_of_key(tree.all.key[box.box], far.at);
      for (int d = 0; d < 3; ++d) far.at[d] += box.image[d] * (1 << box.level);
      *next++ = far;
    });
  }
};
/// As CountRuns finds them, of the leaves of a part.
struct WriteRuns {
  BoxWalk walk;
  TableCounts tables;
  int part;
  std::int64_t of_part;  ///< leaves
  LeafTables of_level[BoxCounts::most_levels];

  NEARFAR_FUNCTION void operator()(std::int64_t number) const {
    BoxTree const& tree = walk.tree;
    LeafAt const leaf = LeafAt::of_part(tree, part, number % of_part);
    if (tree.targets(leaf.box) == 0) return;
    std::int64_t const l = number / of_part, leaves = tree.size(leaf.block);
    std::int32_t const* const runs = tables.runs_of(leaf.number - leaf.i);
    std::int64_t const before = tables.runs_of(leaf.number)[l] - runs[0];
    auto* const first =
        reinterpret_cast<PointRun*>(of_level[leaf.block.level].p2p + PairTable<PointRun>::head + 2 * leaves);
    RunWriter writer{tree, tables, ReadBy::p2p, leaf.block.number(tables.counts.parts), first + before};
    walk.visit_u(walk.seer(leaf.box, leaf.block.level), tables.level(l, leaf.block.level),
                 [&](ImageBox const& box) { writer(box); });
  }
};
struct WriteLarger {
  BoxWalk walk;
  TableCounts tables;
  BoxBlock block;
  std::int32_t* p2l;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::int32_t const begin = walk.tree.begin(block), b = walk.tree.in_block[begin + i];
    RunWriter writer{walk.tree, tables, ReadBy::p2l, block.number(tables.counts.parts),
                     begin_items<PointRun>(p2l, i, walk.tree.size(block), tables.x_runs() + begin)};
    if (walk.tree.targets(b) > 0) walk.visit_x(walk.seer(b, block.level), [&](ImageBox const& box) { writer(box); });
  }
};

/// Of an inner box, whose place is all that P2L reads.
struct WritePlace {
  BoxTree tree;
  BoxBlock block;
  std::int32_t* leaves;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    Leaf leaf{{}, 0, 0};
    place_of_key(tree.all.key[tree.in_block[tree.begin(block) + i]], leaf.at);
    reinterpret_cast<Leaf*>(leaves)[i] = leaf;
  }
};

/// The tables of all leaves of a part, of which there are so many.
template <class Device>
void write_leaves(Device& device, BoxWalk const& walk, TableCounts const& tables, int part, std::int32_t leaves,
                  LeafTables const* of_level) {
  WriteLeaf write{walk, tables, {walk.tree, tables, part}, {}};
  WriteRuns runs{walk, tables, part, leaves, {}};
  for (int l = 0; l <= tables.counts.depth; ++l) write.of_level[l] = runs.of_level[l] = of_level[l];
  device.for_all(leaves, write.pieces, "cuts leaves");
  begin_counts(device, tables.pieces, leaves);
  device.for_all(leaves, write, "writes leaves");
  device.for_all(std::int64_t(tables.levels()) * leaves, runs, "writes runs of points");
}

}  // namespace nearfar
