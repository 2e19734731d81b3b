// SPDX-License-Identifier: BSD-3-Clause
// Trees whose boxes come, go and are divided: lists that are kept are those that would be made.
#include "core/tree/kept_blocks.hpp"
#include "core/tree/moved_tree.hpp"
#include "tests/core/tree/tree_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

using namespace nearfar;
using test::tree_points;

namespace {

Tree tree_of(TreeShape const& shape, std::vector<double> const& x, std::vector<double> const& y) {
  constexpr int level = 12;
  auto const keys = [&](std::vector<double> const& rows) {
    return sorted(point_keys(shape, std::span<double const>(rows), level), level);
  };
  return make_tree(shape, keys(x), y.empty() ? SortedKeys() : keys(y), y.empty() ? Targets::sources : Targets::own);
}

using Motion = void (*)(std::vector<double>& x, unsigned seed);

/// Contracts what is near a point of the set, and moves some of its neighbours there: many boxes in one region.
void contract(std::vector<double>& x, unsigned seed) {
  double const radius = 0.03 * (1 + seed % 3), *const row = &x[21 * seed], centre[3] = {row[0], row[1], row[2]};
  for (std::size_t i = 0; i < x.size(); i += 3) {
    double far = 0;
    for (std::size_t d = 0; d < 3; ++d) far = std::max(far, std::fabs(x[i + d] - centre[d]));
    for (std::size_t d = 0; d < 3; ++d) {
      if (far < radius) x[i + d] = centre[d] + 0.2 * (x[i + d] - centre[d]);
      else if (far < 1.2 * radius) x[i + d] = std::clamp(x[i + d] + 0.3 * radius, -0.5, 0.4999);
    }
  }
}
/// Some points move beside others: mostly the same boxes, with more or fewer points.
void crowd(std::vector<double>& x, unsigned seed) {
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t d = 0; d < 3; ++d) x[3 * (7 * seed + i) + d] = x[3 * (900 * seed + 50 * i) + d] + 1e-5;
}
/// One point moves where there are none, perhaps.
void scatter(std::vector<double>& x, unsigned seed) {
  for (std::size_t d = 0; d < 3; ++d) x[21 * seed + d] = std::fmod(0.17 + 0.618 * (3 * seed + double(d)), 1) - 0.5;
}

struct Planned {
  Tree tree;
  TreeBlocks blocks;
  std::vector<BlockLists> lists;
  std::vector<std::vector<std::int32_t>> leaves, target_leaves;

  Planned(Tree of, std::optional<TreeBlocks> given, std::uint32_t few) : tree(std::move(of)) {
    blocks = given ? *given
                   : cut_blocks(
                         tree, [](int, int) { return 1.0; }, 6);
    InteractionLists const all(tree, few);
    for (std::size_t b = 0; b < blocks.blocks.size(); ++b) {
      lists.push_back(lists_of(tree, all, blocks, int(b), {top_of(tree.shape)}));
      leaves.push_back(leaf_table(tree, blocks.blocks[b], Side::sources));
      target_leaves.push_back(leaf_table(tree, blocks.blocks[b], Side::targets));
    }
  }
};

/// How many blocks keep their lists.
std::size_t check_kept(TreeShape const& shape, std::string const& kind, bool targets, std::uint32_t few, Motion motion,
                       unsigned seed) {
  auto x = tree_points(kind, 3000, seed);
  auto const y = targets ? tree_points(kind, 1500, seed + 50) : std::vector<double>();
  Planned const planned(tree_of(shape, x, y), {}, few);
  motion(x, seed);
  Tree const now = tree_of(shape, x, y);
  KeptBlocks const kept = keep_blocks(planned.tree, planned.blocks, planned.lists, now, few);
  Planned const fresh(now, kept.blocks, few);

  std::size_t boxes = 0, kept_lists = 0;
  for (std::size_t b = 0; b < fresh.lists.size(); ++b) {
    CAPTURE(b);
    TreeBlock const& block = kept.blocks.blocks[b];
    boxes += block.boxes.size();
    CHECK(std::ranges::all_of(block.boxes, [&](std::int32_t box) {
      return now.levels[std::size_t(block.level)][std::size_t(box)].is_leaf() == block.of_leaves;
    }));
    if (kept.changed[b]) continue;
    ++kept_lists;
    BlockLists const &was = planned.lists[b], &is = fresh.lists[b];
    for (auto stage : {&BlockLists::m2m, &BlockLists::l2l, &BlockLists::m2l, &BlockLists::m2p}) {
      CHECK((was.*stage).words == (is.*stage).words);
      CHECK((was.*stage).blocks == (is.*stage).blocks);
    }
    MovedLeaves const leaves{planned.leaves, fresh.leaves};
    CHECK(moved_runs(was.p2p, leaves, &fresh.target_leaves[b]).words == is.p2p.words);
    CHECK(moved_runs(was.p2l, leaves, nullptr).words == is.p2l.words);
    CHECK(was.p2p.blocks == is.p2p.blocks);
    CHECK(was.p2l.blocks == is.p2l.blocks);
  }
  CHECK(boxes == now.boxes());
  return kept_lists;
}

}  // namespace

TEST_CASE("trees: where boxes have changed, lists are made again, and others are those that would be made") {
  std::size_t kept = 0;
  for (bool periodic : {false, true})
    for (int separation : {1, 2})
      for (bool targets : {false, true})
        for (std::uint32_t few : {0U, 5U})
          for (std::string const kind : {"uniform", "sphere", "cusp"})
            for (Motion motion : {contract, crowd, scatter})
              for (unsigned seed : {1U, 2U}) {
                CAPTURE(periodic);
                CAPTURE(separation);
                CAPTURE(targets);
                CAPTURE(few);
                CAPTURE(kind);
                CAPTURE(seed);
                TreeShape const shape{
                    .half = 0.5, .periodic = periodic, .separation = separation, .depth = 8, .capacity = 12};
                kept += check_kept(shape, kind, targets, few, motion, seed);
              }
  CHECK(kept > 2000);
}
