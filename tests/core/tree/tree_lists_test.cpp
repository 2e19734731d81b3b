// SPDX-License-Identifier: BSD-3-Clause
// The counting kernel through the tables that tasks read, block by block.
#include "core/tree/lists/lists.hpp"
#include "core/tree/vectors.hpp"
#include "tests/core/tree/tree_points.hpp"

#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <string>

using namespace nearfar;
using test::tree_points;

namespace {

using Counts = std::vector<std::vector<std::int64_t>>;  // [block][local]

void follow(RunTable const& table, std::vector<std::int32_t> const& from, Counts const& in,
            std::vector<std::int64_t>& out) {
  int interactions = 0;
  for (int r = 0; r < table.runs(); ++r)
    for (int i = 0; i < table.run(r).count; ++i, ++interactions) {
      Interaction const& interaction = table.interaction(table.run(r).first + i);
      out[std::size_t(interaction.target)] +=
          in[std::size_t(from[std::size_t(interaction.buffer)])][std::size_t(interaction.local)];
    }
  CHECK(interactions == table.interactions());
}

/// Links as rows of key, target, buffer, local.
using Rows = std::vector<std::array<std::int32_t, 4>>;

Rows interactions_of_parent_pairs(RunTable const& table, int separation) {
  Rows rows;
  for (int r = 0; r < table.parent_pair_runs(); ++r) {
    ParentPairRun const& run = table.parent_pair_run(r);
    int d[3], way[3];
    vector_of(run.key, separation, d);
    for (int i = run.first; i < run.first + run.count; ++i) {
      ParentPairs const& c = table.parent_pairs(i);
      for (int s = 0; s < 8; ++s)
        for (int t = 0; t < 8; ++t) {
          if (c.local[s] < 0 || c.target[t] < 0 || !far_parent_pairs(d, s, t, separation, way)) continue;
          CHECK((run.sources >> s & 1) == 1);
          CHECK((run.targets >> t & 1) == 1);
          for (int k = 0; k < 3; ++k) way[k] *= (c.mirrored >> (2 - k) & 1) != 0 ? -1 : 1;
          rows.push_back({vector_id(way[0], way[1], way[2], separation), c.target[t], c.buffer[s], c.local[s]});
        }
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// Those that no loose run has.
Rows other_interactions(RunTable const& table) {
  Rows rows;
  for (int r = 0; r < table.runs(); ++r) {
    Run const all = table.run(r), loose = table.loose(r);
    REQUIRE(loose.first == all.first);
    REQUIRE(loose.count <= all.count);
    for (int i = all.first + loose.count; i < all.first + all.count; ++i)
      rows.push_back({all.key, table.interaction(i).target, table.interaction(i).buffer, table.interaction(i).local});
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

template <class Item, class Count>
std::int64_t sum_of(PairTable<Item> const& table, int target, Count count) {
  std::int64_t sum = 0;
  for (int i = 0; i < table.range(target).count; ++i) sum += count(table.item(table.range(target).first + i));
  return sum;
}

SortedKeys keys_of(TreeShape const& shape, std::span<double const> rows) {
  return sorted(point_keys(shape, rows, shape.depth), shape.depth);
}

std::int64_t points_in(PointRun const& run) { return run.last - run.first; }

/// A loop that takes the last part first.
void backwards(std::size_t count, std::function<void(std::size_t)> const& body) {
  for (std::size_t i = count; i-- > 0;) body(i);
}

/// The interactions of a table with their keys.
std::vector<std::array<std::int32_t, 4>> keyed(RunTable const& table) {
  std::vector<std::array<std::int32_t, 4>> all;
  for (int r = 0; r < table.runs(); ++r)
    for (int i = 0; i < table.run(r).count; ++i) {
      Interaction const& in = table.interaction(table.run(r).first + i);
      all.push_back({table.run(r).key, in.target, in.buffer, in.local});
    }
  return all;
}

/// Lists for GPUs, made in parts: all is as in lists for CPUs, except that no parent pairs come last in runs.
void check_without_parent_pairs(BlockLists const& with, BlockLists const& without) {
  for (auto const stage : {&BlockLists::m2m, &BlockLists::l2l, &BlockLists::p2p, &BlockLists::m2p, &BlockLists::p2l}) {
    REQUIRE((with.*stage).words == (without.*stage).words);
    REQUIRE((with.*stage).blocks == (without.*stage).blocks);
    REQUIRE((with.*stage).work == doctest::Approx((without.*stage).work));
  }
  RunTable const some(with.m2l.words.data()), all(without.m2l.words.data());
  REQUIRE(all.parent_pair_runs() == 0);
  REQUIRE(with.m2l.blocks == without.m2l.blocks);
  auto expected = keyed(some), found = keyed(all);
  REQUIRE(std::ranges::is_sorted(found, {}, [](auto const& i) { return std::pair(i[0], i[1]); }));
  std::ranges::sort(expected);
  std::ranges::sort(found);
  REQUIRE(expected == found);
}

/// Sources that each target has got, by the caller's number.
std::vector<std::int64_t> counts(Tree const& tree, double grain, std::uint32_t few) {
  InteractionLists const lists(tree, few);
  auto const cost = [&](int level, int box) {
    BoxWork const w = work_of(tree, lists, level, box);
    return 1 + w.interactions + 0.1 * w.pairs + w.expansions;
  };
  TreeBlocks const cut = cut_blocks(tree, cost, grain);
  int const top = top_of(tree.shape), count = int(cut.blocks.size());
  std::vector<BlockLists> all;
  for (int b = 0; b < count; ++b) {
    all.push_back(lists_of(tree, lists, cut, b, {top}));
    check_without_parent_pairs(all.back(), lists_of(tree, lists, cut, b, {top, false}, backwards));
  }

  Counts m, l;
  for (auto const& block : cut.blocks) {
    m.emplace_back(std::size_t(block.size()), 0);
    l.emplace_back(std::size_t(block.size()), 0);
  }
  for (int b = count - 1; b >= 0; --b) {
    auto const& block = cut.blocks[std::size_t(b)];
    if (!block.of_leaves) {
      auto const& up = all[std::size_t(b)].m2m;
      follow(RunTable(up.words.data()), up.blocks, m, m[std::size_t(b)]);
      continue;
    }
    auto const table = leaf_table(tree, block, Side::sources);
    auto const* leaves = reinterpret_cast<Leaf const*>(table.data());
    for (int s = 0; s < block.size(); ++s) m[std::size_t(b)][std::size_t(s)] = leaves[s].last - leaves[s].first;
  }
  auto const& order = tree.target_order.empty() ? tree.source_order : tree.target_order;
  std::vector<std::int64_t> got(tree.levels[0][0].targets());
  for (int b = 0; b < count; ++b) {
    auto const& block = cut.blocks[std::size_t(b)];
    auto const& list = all[std::size_t(b)];
    auto& local = l[std::size_t(b)];
    follow(RunTable(list.m2l.words.data()), list.m2l.blocks, m, local);
    follow(RunTable(list.l2l.words.data()), list.l2l.blocks, l, local);
    PairTable<PointRun> const x(list.p2l.words.data());
    for (int s = 0; s < block.size(); ++s) local[std::size_t(s)] += sum_of(x, s, points_in);
    if (!block.of_leaves) continue;
    PairTable<PointRun> const u(list.p2p.words.data());
    PairTable<FarBox> const w(list.m2p.words.data());
    for (int s = 0; s < block.size(); ++s) {
      std::int64_t const sum = local[std::size_t(s)] + sum_of(u, s, points_in) + sum_of(w, s, [&](FarBox const& f) {
                                 return m[std::size_t(list.m2p.blocks[std::size_t(f.buffer)])][std::size_t(f.local)];
                               });
      auto const& box = tree.levels[std::size_t(block.level)][std::size_t(block.boxes[std::size_t(s)])];
      for (auto i = box.target[0]; i < box.target[1]; ++i) got[order[i]] += sum;
    }
  }
  return got;
}

}  // namespace

TEST_CASE("tables: every target gets every source once, whatever the blocks are") {
  for (auto const& kind : test::tree_point_kinds)
    for (bool periodic : {false, true})
      for (int ws : {1, 2})
        for (int depth = 0; depth <= 4; ++depth)
          for (int capacity : {0, 10}) {
            if (periodic && ws == 2 && depth > 2) continue;
            CAPTURE(kind);
            CAPTURE(periodic);
            CAPTURE(ws);
            CAPTURE(depth);
            CAPTURE(capacity);
            auto const x = tree_points(kind, 300), y = tree_points("uniform", 100, 2);
            TreeShape const shape{.periodic = periodic, .separation = ws, .depth = depth, .capacity = capacity};
            std::span<double const> const s(x), t(y);
            auto const images = periodic ? (ws == 1 ? 27 : 125) : 1;
            for (bool same : {true, false}) {
              Tree const tree = make_tree(shape, keys_of(shape, s), same ? SortedKeys() : keys_of(shape, t),
                                          same ? Targets::sources : Targets::own);
              for (double grain : {1.0, 500.0, 1e9}) {
                auto const got = counts(tree, grain, capacity > 0 ? 3 : 0);
                REQUIRE(got == std::vector<std::int64_t>(same ? 300 : 100, 300 * images));
              }
            }
          }
}

TEST_CASE("parent_pairs have the interactions that are not loose, in full trees all, in sparse ones hardly any") {
  auto const interactions = [](std::string const& kind, int count, TreeShape const& shape, double grain) {
    auto const x = tree_points(kind, count);
    Tree const tree = make_tree(shape, keys_of(shape, x), {}, Targets::sources);
    InteractionLists const lists(tree);
    TreeBlocks const cut = cut_blocks(
        tree, [](int, int) { return 1.0; }, grain);
    std::array<std::size_t, 2> found{};  // interactions, and those of parent pairs
    for (int b = 0; b < int(cut.blocks.size()); ++b) {
      auto const words = lists_of(tree, lists, cut, b, {top_of(shape)}).m2l.words;
      RunTable const table(words.data());
      auto const rows = interactions_of_parent_pairs(table, shape.separation);
      REQUIRE(rows == other_interactions(table));
      found[0] += std::size_t(table.interactions());
      found[1] += rows.size();
    }
    return found;
  };
  // A periodic cell has 26 pairs of each parent, all full, on every level from 1 on (fmm.md, Sec. 1.6).
  for (double grain : {8.0, 30.0, 1e9}) {
    auto const full = interactions("uniform", 5000, {.periodic = true, .depth = 3}, grain);
    CHECK(full[0] == 189 * (8 + 64 + 512));
    CHECK(full[1] == full[0]);
  }
  CHECK(interactions("uniform", 5000, {.periodic = true, .separation = 2, .depth = 2}, 1e9)[1] == 875 * (8 + 64));
  auto const holes = interactions("uniform", 1200, {.depth = 3}, 100);  // a tenth of the boxes is empty
  CHECK(holes[1] > 0.6 * double(holes[0]));
  CHECK(holes[1] < holes[0]);
  auto const sparse = interactions("sphere", 3000, {.depth = 8, .capacity = 10}, 100);
  CHECK(sparse[1] < 0.05 * double(sparse[0]));
  interactions("normal", 3000, {.periodic = true, .depth = 6, .capacity = 10}, 100);
}

TEST_CASE("blocks: pure, in order, complete, and of like cost") {
  auto const x = tree_points("normal", 5000);
  TreeShape const shape{.depth = 8, .capacity = 20};
  Tree const tree = make_tree(shape, keys_of(shape, x), {}, Targets::sources);
  TreeBlocks const cut = cut_blocks(
      tree, [](int, int) { return 1.0; }, 30);
  std::size_t boxes = 0;
  for (std::size_t b = 0; b < cut.blocks.size(); ++b) {
    auto const& block = cut.blocks[b];
    boxes += std::size_t(block.size());
    CHECK(std::is_sorted(block.boxes.begin(), block.boxes.end()));
    CHECK(block.size() < 62);
    for (int s = 0; s < block.size(); ++s) {
      auto const box = std::size_t(block.boxes[std::size_t(s)]);
      CHECK(tree.levels[std::size_t(block.level)][box].is_leaf() == block.of_leaves);
      CHECK(cut.local_boxes[std::size_t(block.level)][box].block == int(b));
      CHECK(cut.local_boxes[std::size_t(block.level)][box].local == s);
    }
  }
  CHECK(boxes == tree.boxes());
}

TEST_CASE("runs of points that lie together are one") {
  auto const x = tree_points("uniform", 4000);
  TreeShape const shape{.depth = 3};
  Tree const tree = make_tree(shape, keys_of(shape, x), {}, Targets::sources);
  InteractionLists const lists(tree);
  TreeBlocks const cut = cut_blocks(
      tree, [](int, int) { return 1.0; }, 1e9);
  auto const p2p = lists_of(tree, lists, cut, int(cut.blocks.size()) - 1, {2}).p2p;
  PairTable<PointRun> const table(p2p.words.data());
  CHECK(table.targets() == int(tree.levels[3].size()));
  CHECK(table.items() < 20 * table.targets());  // of about 22 boxes each
}

TEST_CASE("cuts of leaves for GPUs: all pairs once, pieces alike in pairs, as many as are reckoned with at most") {
  for (std::string const kind : {"uniform", "cusp", "sphere"})
    for (int depth : {0, 2, 4}) {
      CAPTURE(kind);
      CAPTURE(depth);
      auto const x = tree_points(kind, 20000);
      TreeShape const shape{.depth = depth};
      Tree const tree = make_tree(shape, keys_of(shape, x), {}, Targets::sources);
      InteractionLists const lists(tree);
      TreeBlocks const blocks = cut_blocks(
          tree, [](int, int) { return 1.0; }, 1e9);
      BlockLists const list = lists_of(tree, lists, blocks, int(blocks.blocks.size()) - 1, {2});
      PairTable<PointRun> const table(list.p2p.words.data());
      auto const& boxes = tree.levels[std::size_t(depth)];
      double const share = list.p2p.work / pair_pieces;
      double pairs = 0;
      CHECK(table.cut(0).first == 0);
      for (int i = 0; i < table.targets(); ++i) {
        LeafCut const cut = table.cut(i);
        double const targets = boxes[std::size_t(i)].targets();
        int const pieces = table.cut(i + 1).first - cut.first;
        REQUIRE(pieces > 0);
        REQUIRE(pieces % cut.splits == 0);
        CHECK(cut.sources == sum_of(table, i, points_in));
        double const in_piece = std::ceil(targets * cut.splits / pieces);
        CHECK(in_piece <= piece_targets);
        // No more than a share, and what is left of 32 targets or 256 sources.
        CHECK(in_piece * cut.sources / cut.splits <=
              1.3 * std::max(share, 32 * 512.0) + cut.sources / double(cut.splits));
        pairs += targets * cut.sources;
      }
      CHECK(pairs == list.p2p.work);
      CHECK(table.cut(table.targets()).first <= max_pair_pieces(table.targets(), 20000));
      if (depth == 0) CHECK(table.cut(1).first > pair_pieces / 2);  // though it is one leaf
    }
}
