// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/point_lists.hpp"
#include "codelets/tree/run_lists.hpp"
#include "codelets/tree/tree_stages.hpp"
#include "tests/codelets/host_gpu/tree_case.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

namespace nearfar::test {

/// Runs of points that are sorted as in a tree of one part, so that sums are the same: by level, image and place.
/// core/tree sorts them by block first.
inline Words in_order_of_one_part(Gather const& gather, TreeBlocks const& blocks) {
  Words words = gather.words;
  PairTable<PointRun> const table(gather.words.data());
  auto* const items = reinterpret_cast<PointRun*>(words.data() + PairTable<PointRun>::head + 2 * table.targets());
  auto const place = [&](PointRun const& run) {
    int const level = blocks.blocks[std::size_t(gather.blocks[std::size_t(run.buffer)])].level;
    return std::tuple(level, run.image[0], run.image[1], run.image[2], run.buffer, run.first);
  };
  for (int t = 0; t < table.targets(); ++t) {
    PointRun* const first = items + table.range(t).first;
    std::ranges::sort(first, first + table.range(t).count, {}, place);
  }
  return words;
}

/// The tables of a part, in the order of MakeTables, whose counts are compared with them.
template <class T>
std::vector<Words> expected_tables(TreeCase<T> const& c, TreeOfHost const& e, TableCounts const& tables,
                                   MakeTablesArgs& write) {
  auto const check_reads = [&](ReadBy reader, BoxBlock const& block, Gather const& gather) {
    std::vector<std::int32_t> read;
    for (int other = 0; other < tables.blocks(); ++other)
      if (tables.reads(reader, block.number(c.parts), other) != 0)
        read.push_back(e.block(BoxBlock::of(other, c.parts)));
    CHECK(read == gather.blocks);
  };
  std::vector<Words> expected;
  auto const each_block = [&](auto const& visit) {
    for (int number = write.part; number < tables.blocks(); number += c.parts)
      if (BoxBlock const of = BoxBlock::of(number, c.parts); e.block(of) >= 0)
        visit(of, e.blocks.blocks[std::size_t(e.block(of))], e.lists[std::size_t(e.block(of))],
              tables.of_block(number));
  };
  each_block(
      [&](BoxBlock const& of, TreeBlock const& block, BlockLists const& lists, TableCounts::Block const& counts) {
        CHECK(counts.sources == block.sources);
        CHECK(counts.targets == block.targets);
        if (!of.of_leaves) return;
        CHECK(counts.runs == std::uint64_t(PairTable<PointRun>(lists.p2p.words.data()).items()));
        CHECK(double(counts.pairs) == lists.p2p.work);
        CHECK(counts.far == std::uint64_t(PairTable<FarBox>(lists.m2p.words.data()).items()));
        CHECK(double(counts.to_points) == lists.m2p.work);
        check_reads(ReadBy::p2p, of, lists.p2p);
        check_reads(ReadBy::m2p, of, lists.m2p);
        expected.push_back(leaf_table(e.tree, block, Side::sources));
        if (!c.same()) expected.push_back(leaf_table(e.tree, block, Side::targets));
        expected.push_back(in_order_of_one_part(lists.p2p, e.blocks));
        if (counts.far == 0) return;
        write.m2p |= MakeTablesArgs::bit(of);
        expected.push_back(lists.m2p.words);
      });
  each_block(
      [&](BoxBlock const& of, TreeBlock const& block, BlockLists const& lists, TableCounts::Block const& counts) {
        CHECK(counts.x_runs == std::uint64_t(PairTable<PointRun>(lists.p2l.words.data()).items()));
        CHECK(double(counts.to_locals) == lists.p2l.work);
        check_reads(ReadBy::p2l, of, lists.p2l);
        if (counts.x_runs == 0) return;
        write.p2l |= MakeTablesArgs::bit(of);
        if (!of.of_leaves) {
          Words places = leaf_table(e.tree, block, Side::targets);
          for (std::size_t i = 0; i < places.size(); i += 5) places[i + 3] = places[i + 4] = 0;  // no ranges
          expected.push_back(std::move(places));
        }
        expected.push_back(in_order_of_one_part(lists.p2l, e.blocks));
      });
  BoxTree const tree{tables.counts, {}, nullptr, nullptr};
  for_each_list(tree, write.lists.parts, tables.top, nullptr, [&](auto const& list, ListCounts const& of) {
    if (list.block.part != write.part) return;
    auto const& lists = e.lists[std::size_t(e.block(list.block))];
    using List = std::decay_t<decltype(list)>;
    Gather const& gather = std::is_same_v<List, Children>  ? lists.m2m
                           : std::is_same_v<List, Parents> ? lists.l2l
                                                           : lists.m2l;
    RunTable const table(gather.words.data());
    CHECK(tables.of_list(of.number)[0] == std::uint64_t(table.interactions()));
    CHECK(tables.of_list(of.number)[1] == std::uint64_t(table.runs()));
    check_reads(List::reader, list.block, gather);
    expected.push_back(gather.words);
  });
  return expected;
}

/// Each box is in the part in which its first point would be, and leaves are cut so that parts have about the same
/// work.
inline void check_parts(Tree const& tree, BoxTree const& outline, FindNearArgs const& args,
                        std::span<std::uint64_t const> begin) {
  int const parts = outline.counts.parts;
  CHECK(std::ranges::is_sorted(begin));
  InteractionLists const lists(tree, args.few);
  std::map<MortonKey, double> work;  // of leaves along the curve
  double all = 0, most = 0;
  bool good = true;
  for (int l = 0; l <= tree.depth(); ++l) {
    auto const& level = tree.levels[std::size_t(l)];
    for (int b = 0; b < int(level.size()); ++b) {
      TreeBox const& box = level[std::size_t(b)];
      MortonKey const key = morton_key(box.at[0], box.at[1], box.at[2]) << 3 * (deepest_level - l);
      auto const part = int(std::ranges::upper_bound(begin, key) - begin.begin());
      good = good && b >= outline.part_begin(l, part).box && b < outline.part_begin(l, part + 1).box;
      if (!box.is_leaf()) continue;
      double const targets = box.targets(), here = args.parts.leaf + args.parts.point * (box.sources() + targets) +
                                                   args.parts.pair * work_of(tree, lists, l, b).pairs;
      work[key] = here;
      all += here;
      most = std::max(most, here);
    }
  }
  CHECK(good);
  for (int p = 1; p < parts; ++p) {
    double before = 0;
    for (auto const& [key, here] : work) before += key < begin[std::size_t(p - 1)] ? here : 0;
    CHECK(std::abs(before - all * p / parts) <= most / 2 + 1e-9 * all);
  }
}

}  // namespace nearfar::test
