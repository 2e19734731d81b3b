// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/fmm/tree_search.hpp"
#include "core/tree/lists/lists.hpp"
#include "tests/core/tree/tree_points.hpp"

#include <doctest/doctest.h>

using namespace nearfar;
using doctest::Approx;

namespace {

constexpr int level = 12;
constexpr TreeSight open{1, false, 1};

SortedKeys keys_of(std::string const& kind, std::size_t count) {
  auto const x = test::tree_points(kind, count);
  return sorted(point_keys({}, std::span<double const>(x), level), level);
}

KeysAt in_hand(SortedKeys const& keys) {
  return [&keys](int) -> SortedKeys const& { return keys; };
}

/// By the lists of all boxes.
TreeWork work_in(SortedKeys const& keys, int depth, int capacity, std::uint32_t few) {
  Tree const tree = make_tree({.depth = depth, .capacity = capacity}, keys, {}, Targets::sources);
  InteractionLists const lists(tree, few);
  TreeWork work;
  double expansions = 0;
  for (int l = 0; l <= tree.depth(); ++l)
    for (int b = 0; b < int(tree.levels[std::size_t(l)].size()); ++b) {
      BoxWork const box = work_of(tree, lists, l, b);
      work.pairs += box.pairs;
      work.interactions += box.interactions;
      expansions += box.expansions;
    }
  work.to_points = work.to_locals = expansions / 2;
  work.boxes = double(tree.boxes());
  return work;
}

}  // namespace

TEST_CASE("trees are counted some percent off by some of their boxes, however points are spread") {
  for (std::string const kind : {"uniform", "sphere", "cusp"})
    for (int capacity : {0, 40}) {
      CAPTURE(kind);
      CAPTURE(capacity);
      auto const keys = keys_of(kind, 20000);
      int const depth = capacity > 0 ? level : 4;
      TreeWork const real = work_in(keys, depth, capacity, 5), found = counted_work(keys, depth, capacity, open, 5);
      CHECK(found.pairs / real.pairs == Approx(1).epsilon(0.2));
      CHECK(found.interactions / real.interactions == Approx(1).epsilon(0.1));
      CHECK(found.boxes == real.boxes);
      double const others = real.to_points + real.to_locals;
      CHECK(found.to_points + found.to_locals <= Approx(1.5 * others));
    }
  // All pairs, and the lists of all boxes of a small tree.
  auto const few = keys_of("uniform", 500);
  CHECK(counted_work(few, 0, 0, open, 0).pairs == Approx(500 * 500));
  CHECK(counted_work(few, 2, 0, open, 0).interactions == work_in(few, 2, 0, 0).interactions);
}

TEST_CASE("the cheapest uniform tree is one that was counted, or dearer than what is already known") {
  auto const keys = keys_of("cusp", 20000);
  Occupancy const found = occupancy(keys, 6);
  TreeSearch search(in_hand(keys), level, found, open, 5);
  auto const trees = uniform_trees(found, 1, 20000, open);
  CHECK(search.is_uneven(trees[4]));
  auto const cost = [](TreeWork const& work) { return work.pairs + 100 * work.interactions; };
  TreeCandidate const best = search.cheapest(trees, cost, 1e30);
  TreeWork const real = work_in(keys, best.depth, best.capacity, 5);
  CHECK(cost(best.work) / cost(real) == Approx(1).epsilon(0.15));
  for (TreeCandidate const& tree : trees)
    CHECK(cost(best.work) < 1.2 * cost(work_in(keys, tree.depth, tree.capacity, 5)));
  TreeSearch fresh(in_hand(keys), level, found, open, 5);
  CHECK(cost(fresh.cheapest({trees[4]}, cost, 1).work) == cost(trees[4].work));
  // Trees that follow the points are counted at once.
  for (int capacity : {20, 40, 80})
    CHECK(cost(search.adaptive(capacity).work) / cost(work_in(keys, level, capacity, 5)) == Approx(1).epsilon(0.15));

  auto const even = keys_of("uniform", 20000);
  Occupancy const evenly = occupancy(even, 6);
  TreeSearch const other(in_hand(even), level, evenly, open, 5);
  CHECK_FALSE(other.is_uneven(uniform_trees(evenly, 1, 20000, open)[3]));
  CHECK_FALSE(other.is_uneven(uniform_trees(evenly, 8.0 / 7, 20000, open)[3]));
}

TEST_CASE("trees of points that are spread evenly are not counted: what is guessed is right") {
  for (std::string const kind : {"uniform", "sphere", "cusp"}) {
    CAPTURE(kind);
    auto const keys = keys_of(kind, 20000);
    Occupancy const found = occupancy(keys, 6);
    int counted = 0;
    PointTrees trees = in_hand(keys);
    trees.work = [&, work = trees.work](int depth, int capacity, TreeSight const& sight, std::uint32_t few) {
      ++counted;
      return work(depth, capacity, sight, few);
    };
    TreeSearch search(trees, level, found, open, 5);
    auto const cost = [](TreeWork const& work) { return work.pairs + 100 * work.interactions; };
    for (int depth = 2; depth <= 4; ++depth) {
      TreeCandidate const best =
          search.cheapest({uniform_trees(found, 1, 20000, open)[std::size_t(depth)]}, cost, 1e30);
      CHECK(cost(best.work) / cost(work_in(keys, depth, 0, 5)) == Approx(1).epsilon(0.15));
    }
    CHECK((counted == 0) == (kind == "uniform"));
  }
}
