// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/curve.hpp"
#include "codelets/tree/grow_tree.hpp"
#include "codelets/tree/leaf_points.hpp"
#include "codelets/tree/near_boxes.hpp"
#include "codelets/tree/point_tables.hpp"
#include "codelets/tree/prune_tree.hpp"
#include "codelets/tree/sampled_tree.hpp"
#include "codelets/tree/tree_stages.hpp"

namespace nearfar {

// What the stages do with their buffers, wherever that is.

/// The caller's points.
template <class T>
RowPieces<T const> rows_in(Buffers const& b, RowCut const& cut) {
  return {b, 0, b.count(0), cut, 3};
}

template <class T, class Device>
void find_extent(Device& device, Buffers const& b, FindExtentArgs const& args) {
  find_extent(device, rows_in<T>(b, args.cut), args.points, b.get<double>(1));
}

template <class T, class Device>
void sort_curve(Device& device, Buffers const& b, SortCurveArgs const& args) {
  KeyOfPoint<T> const key{args.place, args.shape, args.level, rows_in<T>(b, args.cut), nullptr};
  sort_along_curve(device, key, args.points, args.last, args.powers,
                   {b.get<MortonKey>(1, 0), b.get<std::uint32_t>(1, 1)}, b.get<std::uint64_t>(2));
}

/// Arrays as MakeBoxes writes them: those of targets are those of sources if these are the targets.
inline BoxArrays boxes_in(Buffers const& b, int access) {
  bool const same = b.count(access) == 7;
  return {b.get<MortonKey>(access, 0),    b.get<std::int32_t>(access, 1),  b.get<std::int32_t>(access, 2),
          b.get<std::int32_t>(access, 3), b.get<std::uint32_t>(access, 4), b.get<std::uint32_t>(access, same ? 4 : 7),
          b.get<std::int32_t>(access, 5), b.get<std::int32_t>(access, 6),  b.get<std::int32_t>(access, same ? 6 : 8)};
}
/// And what FindNearBoxes writes.
inline BoxTree tree_in(Buffers const& b, int boxes, int near, BoxCounts const& counts) {
  return {counts, boxes_in(b, boxes), b.get<std::int32_t>(near, 0), b.get<std::int32_t>(near, 1),
          counts.parts > 1 ? b.get<PartBegin>(near, 2) : nullptr};
}

template <class Device>
void make_boxes(Device& device, Buffers const& b, MakeBoxesArgs const& args) {
  GrowTree const tree{{b.get<MortonKey const>(0, 0), args.sources, args.level},
                      {b.count(0) > 1 ? b.get<MortonKey const>(0, 1) : nullptr, args.targets, args.level},
                      args.depth,
                      args.capacity,
                      args.room,
                      boxes_in(b, 1),
                      nullptr};
  grow_tree(device, tree, args.most, b.get<std::uint64_t>(2));
}

template <class Device>
void prune_boxes(Device& device, Buffers const& b, PruneBoxesArgs const& args) {
  GrowTree const tree{{}, {}, args.counts.depth, args.capacity, args.room, boxes_in(b, 1), nullptr};
  prune_tree(device, {args.counts, boxes_in(b, 0), tree, nullptr}, b.get<std::uint64_t>(2));
}

template <class Device>
void find_near_boxes(Device& device, Buffers const& b, FindNearArgs const& args) {
  BoxTree const tree = tree_in(b, 0, 1, args.counts);
  find_near(device, tree);
  auto* const found = b.get<std::uint64_t>(2);
  if (args.points > 0) take_sample(device, SampledTree::of({tree, args.few}, double(args.points)), found);
  if (args.counts.parts > 1)
    cut_parts(device, {tree, args.few}, args.parts, b.get<PartBegin>(1, 2), found + numbers_of_sample(args));
}

template <class Device>
void count_all_lists(Device& device, Buffers const& b, CountListsArgs const& args) {
  BoxTree const tree = tree_in(b, 0, 1, args.counts);
  auto* const totals = b.get<std::uint64_t>(2, 1);
  TableCounts const tables = table_counts(tree, args.parts, args.top, b.get<std::int32_t>(2, 0), totals);
  constexpr char what[] = "counts interactions";
  device.for_all(tables.numbers(), SetTo0<std::uint64_t>{totals}, what);
  count_lists(device, tree, args.parts, tables);
  order_near(device, tree, tables.near_order());
  count_points(device, {tree, args.few, tables.near_order()}, tables);
  device.for_all(readers * tables.blocks(), NumberReads{tables}, what);
  device.for_all(tables.numbers(), CopyNumber{totals, b.get<std::uint64_t>(3)}, what);
}

template <class Device>
void make_tables(Device& device, Buffers const& b, MakeTablesArgs const& args) {
  BoxCounts const& counts = args.lists.counts;
  BoxTree const tree = tree_in(b, 0, 1, counts), outline = outline_of(counts, args.lists.parts);
  TableCounts tables =
      table_counts(tree, args.lists.parts, args.lists.top, b.get<std::int32_t>(2, 0), b.get<std::uint64_t>(2, 1));
  BoxWalk const walk{tree, args.lists.few, tables.near_order()};
  int next = 0;
  auto const table = [&](bool exists = true) { return exists ? b.get<std::int32_t>(3, next++) : nullptr; };
  LeafTables of_level[BoxCounts::most_levels] = {};
  std::int32_t all_leaves = 0;
  for (int l = 0; l <= counts.depth; ++l) {
    BoxBlock const block{l, true, args.part};
    if (outline.size(block) == 0) continue;
    all_leaves += outline.size(block);
    LeafTables& leaves = of_level[l];
    leaves.sources = table();
    leaves.targets = table(tree.all.target != tree.all.source);
    leaves.p2p = table();
    leaves.m2p = table(args.has(args.m2p, block));
  }
  tables.pieces = device.template room<std::int32_t>(all_leaves + 1);
  write_leaves(device, walk, tables, args.part, all_leaves, of_level);
  WriteLarger larger{walk, tables, args.part, {}};
  for (int l = 0; l <= counts.depth; ++l)
    for (bool const of_leaves : {false, true})
      if (args.has(args.p2l, {l, of_leaves, args.part})) {
        auto& of_block = larger.of_block[BoxBlock{l, of_leaves}.number(1)];
        of_block.places = table(!of_leaves);
        of_block.p2l = table();
      }
  if (args.p2l != 0) device.for_all(counts.all(), larger, "writes runs of points");
  std::vector<std::int32_t*> words;
  for_each_list(tree, args.lists.parts, args.lists.top, tables.memory, [&](auto const& list, ListCounts const&) {
    words.push_back(list.block.part == args.part ? table() : nullptr);
  });
  if (!words.empty())
    select_together<WriteInteractions>(device, tree, args.lists.parts, tables, words, "writes interactions");
}

template <class T, class Device>
void fill_leaves(Device& device, Buffers const& b, FillLeavesArgs const& args) {
  BoxTree const tree = tree_in(b, 2, 3, args.counts);
  auto* const twins = b.get<std::uint32_t>(5);
  device.for_all(args.blocks, SetTo0<std::uint32_t>{twins}, "puts points into leaves");
  int const arrays = b.count(4) / args.blocks;
  for (int k = 0; k < args.blocks; ++k) {
    int const first = k * arrays;
    BlockArrays<T> out{.points = args.block[k].points,
                       .cells = int(b.size<std::int32_t>(4, first)) - 1,
                       .stride = b.size<std::uint32_t>(4, first + 1),
                       .offset = b.get<std::int32_t>(4, first),
                       .row = b.get<std::uint32_t>(4, first + 1),
                       .position = b.get<T>(4, first + 2)};
    if (arrays > 3) out.near = b.get<T>(4, first + 3);
    LeavesOfBlock const from{b.get<MortonKey const>(1, 0),
                             b.get<std::uint32_t const>(1, 1),
                             args.points,
                             tree.in_block + args.block[k].begin,
                             args.targets ? tree.all.target : tree.all.source,
                             args.targets ? tree.all.first_target : tree.all.first_source};
    place_in_leaves(device, PlaceInLeaves<T>{args.place, rows_in<T>(b, args.cut), from, out}, args.find_twins,
                    twins + k);
  }
}

}  // namespace nearfar
