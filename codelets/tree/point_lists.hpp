// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/table_counts.hpp"
#include "core/tree/cut_of_leaf.hpp"
#include "core/tree/tables.hpp"

namespace nearfar {

// Pair tables: U, W and X. Leaves are counted in the order of their numbers, boxes in that of blocks.

/// Leaf `i` of its level, its place among all, and its box.
struct LeafAt {
  int level;
  std::int32_t i, number, box;

  NEARFAR_FUNCTION static LeafAt of(BoxTree const& tree, int level, std::int64_t i) {
    return {level, std::int32_t(i), tree.counts.leaves_above(level) + std::int32_t(i),
            tree.in_block[BoxBlock{level, true}.begin(tree.counts) + i]};
  }
  /// By its place among all. One launch for all levels: each would wait for its slowest leaf.
  NEARFAR_FUNCTION static LeafAt of_all(BoxTree const& tree, std::int64_t number) {
    int level = 0;
    while (number >= tree.counts.leaves[level]) number -= tree.counts.leaves[level++];
    return of(tree, level, number);
  }
};

struct CountPoints {
  BoxWalk walk;
  TableCounts tables;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    LeafAt const leaf = LeafAt::of_all(walk.tree, i);
    int const level = leaf.level;
    std::int32_t runs = 0, far = 0, seen = 0;
    int const block = BoxBlock{level, true}.number();
    if (walk.tree.targets(leaf.box) > 0) {
      BoxWalk::Seer const from = walk.seer(leaf.box, level);
      RunJoiner joiner;
      walk.visit_u(from, [&](ImageBox const& box) {
        auto const sources = std::int32_t(walk.tree.sources(box.box)),
                   first = walk.tree.first_source(box.box, box.level);
        seen += sources;
        if (!joiner.begins(box, first, first + sources)) return;
        ++runs;
        tables.mark_read(ReadBy::p2p, block, BoxBlock{box.level, true}.number());
      });
      walk.visit_w(from, [&](ImageBox const& box) {
        ++far;
        tables.mark_read(ReadBy::m2p, block, BoxBlock{box.level, walk.tree.is_leaf(box.box)}.number());
      });
    }
    tables.runs()[leaf.number] = runs;
    tables.far()[leaf.number] = far;
    tables.seen()[leaf.number] = seen;
  }
};
/// Of box i in the order of blocks.
struct CountLarger {
  BoxWalk walk;
  TableCounts tables;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::int32_t const b = walk.tree.in_block[i];
    int const level = tables.counts.level_of(b);
    std::int32_t runs = 0, seen = 0;
    if (walk.tree.targets(b) > 0) {
      RunJoiner joiner;
      walk.visit_x(walk.seer(b, level), [&](ImageBox const& box) {
        auto const sources = std::int32_t(walk.tree.sources(box.box)),
                   first = walk.tree.first_source(box.box, box.level);
        seen += sources;
        if (!joiner.begins(box, first, first + sources)) return;
        ++runs;
        tables.mark_read(ReadBy::p2l, BoxBlock{level, walk.tree.is_leaf(b)}.number(),
                         BoxBlock{box.level, true}.number());
      });
    }
    tables.x_runs()[i] = runs;
    tables.x_seen()[i] = seen;
  }
};

/// For each level pairs, points times boxes, and points for the boxes and leaves: [level][which][thread].
struct PartPoints {
  static constexpr int sums = 4;
  BoxTree tree;
  TableCounts tables;
  std::int64_t threads;
  std::uint64_t* parts;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int const level = int(i / threads);
    std::int64_t const t = i % threads;
    std::uint64_t sum[sums] = {};
    for (std::int64_t k = t; k < tables.counts.leaves[level]; k += threads) {
      LeafAt const leaf = LeafAt::of(tree, level, k);
      std::uint64_t const targets = tree.targets(leaf.box);
      sum[0] += targets * std::uint64_t(tables.seen()[leaf.number]);
      sum[1] += targets * std::uint64_t(tables.far()[leaf.number]);
    }
    for (std::int64_t k = t; k < tables.counts.size(level); k += threads)
      sum[k < tables.counts.inner(level) ? 2 : 3] += std::uint64_t(tables.x_seen()[tables.counts.begin[level] + k]);
    for (int s = 0; s < sums; ++s) parts[(level * sums + s) * threads + t] = sum[s];
  }
};
/// After runs have been added up.
struct TakePoints {
  TableCounts tables;
  std::uint64_t const* sums;  ///< [level][which]

  NEARFAR_FUNCTION void operator()(std::int64_t level) const {
    auto const between = [](std::int32_t const* begin, std::int32_t first, std::int32_t last) {
      return std::uint64_t(begin[last] - begin[first]);
    };
    BoxCounts const& counts = tables.counts;
    std::int32_t const first = counts.leaves_above(int(level)), last = first + counts.leaves[level];
    std::uint64_t const* const sum = sums + PartPoints::sums * level;
    tables.of_leaves(int(level)) = {between(tables.runs(), first, last), sum[0], between(tables.far(), first, last),
                                    sum[1]};
    for (bool const of_leaves : {false, true}) {
      BoxBlock const block{int(level), of_leaves};
      std::int32_t const begin = block.begin(counts);
      tables.of_larger(block.number()) = {between(tables.x_runs(), begin, begin + block.size(counts)),
                                          sum[of_leaves ? 3 : 2]};
    }
  }
};
template <class Device>
void count_points(Device& device, BoxWalk const& walk, TableCounts const& tables) {
  constexpr char what[] = "counts runs of points";
  BoxCounts const& counts = tables.counts;
  device.for_all(counts.all_leaves(), CountPoints{walk, tables}, what);
  if (counts.on_one_level())
    device.for_all(2 * (std::int64_t(counts.all()) + 1), SetTo0<std::int32_t>{tables.x_runs()}, what);
  else device.for_all(counts.all(), CountLarger{walk, tables}, what);
  std::int64_t const threads = device.threads < 2048 ? device.threads : 2048;
  int const rows = PartPoints::sums * (counts.depth + 1);
  auto* const parts = device.template room<std::uint64_t>(rows * threads);
  auto* const sums = device.template room<std::uint64_t>(rows);
  device.for_all((counts.depth + 1) * threads, PartPoints{walk.tree, tables, threads, parts}, what);
  device.template reduced<Sum>(parts, rows, threads, sums);
  for (auto* const begin : {tables.runs(), tables.far()}) begin_counts(device, begin, counts.all_leaves());
  begin_counts(device, tables.x_runs(), counts.all());
  device.for_all(counts.depth + 1, TakePoints{tables, sums}, what);
}

/// How many pieces GPUs cut each leaf into, given the pairs of its level.
struct CountPieces {
  BoxTree tree;
  TableCounts tables;
  double pairs[BoxCounts::most_levels];

  NEARFAR_FUNCTION CutOfLeaf cut(LeafAt const& leaf) const {
    return CutOfLeaf(pairs[leaf.level], tree.targets(leaf.box), tables.seen()[leaf.number]);
  }
  NEARFAR_FUNCTION void operator()(std::int64_t i) const { tables.pieces[i] = cut(LeafAt::of_all(tree, i)).pieces(); }
};

/// The tables of a level's leaves.
struct LeafTables {
  std::int32_t *sources, *targets, *p2p, *m2p;  ///< null: none
};

/// Writes where the items of target i of so many begin, and before the first one the head; returns the items.
template <class Item>
NEARFAR_FUNCTION Item* begin_items(std::int32_t* words, std::int64_t i, std::int64_t targets,
                                   std::int32_t const* begin) {
  constexpr int head = PairTable<Item>::head;
  if (i == 0) {
    words[0] = std::int32_t(targets);
    words[1] = begin[targets] - begin[0];
    words[2] = words[3] = 0;
  }
  reinterpret_cast<Range*>(words + head)[i] = {begin[i] - begin[0], begin[i + 1] - begin[i]};
  return reinterpret_cast<Item*>(words + head + 2 * targets) + (begin[i] - begin[0]);
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
    std::int32_t const first = tree.first_source(box.box, box.level), end = first + std::int32_t(tree.sources(box.box));
    if (joiner.begins(box, first, end))
      *next++ = {tables.buffer(reader, block, BoxBlock{box.level, true}.number()),
                 first,
                 0,
                 {box.image[0], box.image[1], box.image[2]}};
    next[-1].last = end;
  }
};

struct WriteLeaf {
  BoxWalk walk;
  TableCounts tables;
  CountPieces pieces;
  LeafTables of_level[BoxCounts::most_levels];

  NEARFAR_FUNCTION void operator()(std::int64_t number) const {
    BoxTree const& tree = walk.tree;
    LeafAt const leaf = LeafAt::of_all(tree, number);
    int const level = leaf.level;
    std::int32_t const i = leaf.i, leaves = tables.counts.leaves[level], first_leaf = leaf.number - i;
    LeafTables const& out = of_level[level];
    BoxBlock const block{level, true};
    std::int32_t const* const runs = tables.runs() + first_leaf;
    std::int32_t const* const piece = tables.pieces + first_leaf;
    auto* const cut = reinterpret_cast<LeafCut*>(out.p2p + PairTable<PointRun>::head + 2 * std::int64_t(leaves) +
                                                 6 * std::int64_t(runs[leaves] - runs[0]));
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
    RunWriter writer{tree, tables, ReadBy::p2p, block.number(), begin_items<PointRun>(out.p2p, i, leaves, runs)};
    if (tree.targets(b) > 0) walk.visit_u(from, [&](ImageBox const& box) { writer(box); });
    if (out.m2p == nullptr) return;
    FarBox* next = begin_items<FarBox>(out.m2p, i, leaves, tables.far() + first_leaf);
    if (tree.targets(b) == 0) return;
    walk.visit_w(from, [&](ImageBox const& box) {
      FarBox far{tables.buffer(ReadBy::m2p, block.number(), BoxBlock{box.level, tree.is_leaf(box.box)}.number()),
                 tree.local(box.box, box.level),
                 box.level,
                 {}};
      place_of_key(tree.all.key[box.box], far.at);
      for (int d = 0; d < 3; ++d) far.at[d] += box.image[d] * (1 << box.level);
      *next++ = far;
    });
  }
};
struct WriteLarger {
  BoxWalk walk;
  TableCounts tables;
  BoxBlock block;
  std::int32_t* p2l;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::int32_t const begin = block.begin(tables.counts), b = walk.tree.in_block[begin + i];
    RunWriter writer{walk.tree, tables, ReadBy::p2l, block.number(),
                     begin_items<PointRun>(p2l, i, block.size(tables.counts), tables.x_runs() + begin)};
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
    place_of_key(tree.all.key[tree.in_block[block.begin(tree.counts) + i]], leaf.at);
    reinterpret_cast<Leaf*>(leaves)[i] = leaf;
  }
};

/// The tables of all leaves, whose levels have so many pairs.
template <class Device>
void write_leaves(Device& device, BoxWalk const& walk, TableCounts const& tables, double const* pairs,
                  LeafTables const* of_level) {
  WriteLeaf write{walk, tables, {walk.tree, tables, {}}, {}};
  for (int l = 0; l <= tables.counts.depth; ++l) {
    write.pieces.pairs[l] = pairs[l];
    write.of_level[l] = of_level[l];
  }
  std::int32_t const leaves = tables.counts.all_leaves();
  device.for_all(leaves, write.pieces, "cuts leaves");
  begin_counts(device, tables.pieces, leaves);
  device.for_all(leaves, write, "writes runs of points");
}

}  // namespace nearfar
