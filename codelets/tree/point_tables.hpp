// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/point_lists.hpp"
#include "core/tree/cut_of_leaf.hpp"
#include "core/tree/tables.hpp"

namespace nearfar {

// Pair tables, after what they hold has been counted.

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
    int const level = leaf.block.level;
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
    if (out.m2p != nullptr) begin_items<FarBox>(out.m2p, i, leaves, tables.far_of(first_leaf), tables.near());
  }
};
/// As CountFar finds them, of the leaves of a part.
struct WriteFar {
  BoxWalk walk;
  TableCounts tables;
  int part;
  LeafTables of_level[BoxCounts::most_levels];

  NEARFAR_FUNCTION void operator()(std::int64_t number) const {
    BoxTree const& tree = walk.tree;
    LeafAt const leaf = LeafAt::of_part(tree, part, number / tables.near());
    std::int32_t* const m2p = of_level[leaf.block.level].m2p;
    if (m2p == nullptr || tree.targets(leaf.box) == 0) return;
    int const k = int(number % tables.near()), parts = tables.counts.parts, block = leaf.block.number(parts);
    std::int32_t const before = tables.far_of(leaf.number)[k] - *tables.far_of(leaf.number - leaf.i);
    auto* next = reinterpret_cast<FarBox*>(m2p + PairTable<FarBox>::head + 2 * tree.size(leaf.block)) + before;
    walk.visit_w(walk.seer(leaf.box, leaf.block.level), k, [&](ImageBox const& box) {
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
/// The tables of P2L of the blocks of a part: of their boxes in the order of blocks, and before that the places of
/// inner boxes, which are all that P2L reads of these.
struct WriteLarger {
  struct Tables {
    std::int32_t *places, *p2l;  ///< null: none
  };
  BoxWalk walk;
  TableCounts tables;
  int part;
  Tables of_block[2 * BoxCounts::most_levels];  ///< as the blocks of a single part are numbered

  NEARFAR_FUNCTION void operator()(std::int64_t at) const {
    BoxTree const& tree = walk.tree;
    std::int32_t const b = tree.in_block[at];
    BoxBlock const block = tree.block_of(b, tree.counts.level_of(b));
    Tables const& out = of_block[BoxBlock{block.level, block.of_leaves}.number(1)];
    if (block.part != part || out.p2l == nullptr) return;
    std::int32_t const begin = tree.begin(block);
    std::int64_t const i = at - begin;
    if (out.places != nullptr) {
      Leaf leaf{{}, 0, 0};
      place_of_key(tree.all.key[b], leaf.at);
      reinterpret_cast<Leaf*>(out.places)[i] = leaf;
    }
    RunWriter writer{tree, tables, ReadBy::p2l, block.number(tables.counts.parts),
                     begin_items<PointRun>(out.p2l, i, tree.size(block), tables.x_runs() + begin)};
    if (tree.targets(b) > 0) walk.visit_x(walk.seer(b, block.level), [&](ImageBox const& box) { writer(box); });
  }
};

/// The tables of all leaves of a part, of which there are so many.
template <class Device>
void write_leaves(Device& device, BoxWalk const& walk, TableCounts const& tables, int part, std::int32_t leaves,
                  LeafTables const* of_level) {
  WriteLeaf write{walk, tables, {walk.tree, tables, part}, {}};
  WriteRuns runs{walk, tables, part, leaves, {}};
  WriteFar far{walk, tables, part, {}};
  bool any_far = false;
  for (int l = 0; l <= tables.counts.depth; ++l) {
    write.of_level[l] = runs.of_level[l] = far.of_level[l] = of_level[l];
    any_far = any_far || of_level[l].m2p != nullptr;
  }
  device.for_all(leaves, write.pieces, "cuts leaves");
  begin_counts(device, tables.pieces, leaves);
  device.for_all(leaves, write, "writes leaves");
  if (any_far) device.for_all(std::int64_t(tables.near()) * leaves, far, "writes far boxes");
  device.for_all(std::int64_t(tables.levels()) * leaves, runs, "writes runs of points");
}

}  // namespace nearfar
