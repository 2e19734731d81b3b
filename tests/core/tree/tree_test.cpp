// SPDX-License-Identifier: BSD-3-Clause
// The lists of a tree by the counting kernel: all charges are 1, and every operator only adds up counts. Every target
// must have got every source exactly once.
#include "core/tree/lists/interactions.hpp"
#include "core/tree/vectors.hpp"
#include "tests/core/tree/tree_points.hpp"

#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <numeric>
#include <set>
#include <utility>

using namespace nearfar;
using test::tree_points;

namespace {

Tree tree_of(TreeShape const& shape, std::vector<double> const& sources, std::vector<double> const& targets = {}) {
  std::span<double const> const s(sources), t(targets);
  return make_tree(shape, sorted(point_keys(shape, s, shape.depth), shape.depth),
                   targets.empty() ? SortedKeys() : sorted(point_keys(shape, t, shape.depth), shape.depth),
                   targets.empty() ? Targets::sources : Targets::own);
}

/// What each target has got, in the order of the tree: sources through M2L, M2P and P2L of its boxes, and P2P.
std::vector<std::uint64_t> counts(Tree const& tree, std::uint32_t few = 0) {
  InteractionLists const lists(tree, few);
  std::vector<std::uint64_t> got(tree.levels[0][0].targets());
  Interactions in;
  for (int level = 0; level <= tree.depth(); ++level) {
    auto const& boxes = tree.levels[std::size_t(level)];
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      if (boxes[b].targets() == 0) continue;
      lists.of(level, int(b), in);
      std::uint64_t sum = 0;
      for (auto const* list : {&in.u, &in.v, &in.w, &in.x})
        for (SeenBox const& s : *list) sum += tree.levels[std::size_t(s.level)][std::size_t(s.box)].sources();
      for (std::uint32_t i = boxes[b].target[0]; i < boxes[b].target[1]; ++i) got[i] += sum;
    }
  }
  return got;
}

bool all_are(std::vector<std::uint64_t> const& values, std::uint64_t wanted) {
  return std::all_of(values.begin(), values.end(), [&](auto v) { return v == wanted; });
}

}  // namespace

TEST_CASE("Morton keys: known values, and order by box on every level") {
  CHECK(morton_key(0, 0, 1) == 1);
  CHECK(morton_key(0, 1, 0) == 2);
  CHECK(morton_key(1, 0, 0) == 4);
  CHECK(morton_key(3, 0, 0) == 36);
  CHECK(morton_key(0xfffff, 0xfffff, 0xfffff) == 0xfffffffffffffffu);
  for (int i = 0; i < 20; ++i) CHECK(spread_bits(1u << i) == (MortonKey(1) << (3 * i)));
}

TEST_CASE("the sort is stable and complete") {
  std::vector<MortonKey> keys;
  for (std::uint64_t i = 0; i < 5000; ++i) keys.push_back((i * 7919 % 613) << (i % 2 ? 40 : 0));
  auto const got = sorted(keys, 20);
  auto wanted = std::vector<std::uint32_t>(keys.size());
  std::iota(wanted.begin(), wanted.end(), 0u);
  std::stable_sort(wanted.begin(), wanted.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
  CHECK(std::ranges::equal(got.order, wanted));
  CHECK(std::is_sorted(got.keys.begin(), got.keys.end()));
}

namespace {

void backwards(std::size_t count, std::function<void(std::size_t)> const& body) {
  while (count-- > 0) body(count);
}

}  // namespace

TEST_CASE("many keys are sorted by any loop, however they are spread") {
  std::vector<std::uint32_t> wanted(60000);
  for (std::string const& kind : test::tree_point_kinds) {
    CAPTURE(kind);
    auto const x = tree_points(kind, wanted.size());
    auto const keys = point_keys({}, std::span<double const>(x), 16);
    std::iota(wanted.begin(), wanted.end(), 0u);
    std::stable_sort(wanted.begin(), wanted.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
    for (Loop const& loop : {Loop(in_turn), Loop(backwards)}) {
      auto const got = sorted(keys, 16, loop);
      CHECK(std::ranges::equal(got.order, wanted));
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < wanted.size(); ++i) wrong += got.keys[i] != keys[wanted[i]];
      CHECK(wrong == 0);
      CHECK(are_distinct(got, loop) == (std::ranges::adjacent_find(got.keys) == got.keys.end()));
    }
    CHECK(occupancy(sorted(keys, 16), 7).pairs == occupancy(sorted(keys, 16, backwards), 7, backwards).pairs);
  }
}

TEST_CASE("two keys alike are found wherever they are") {
  std::vector<MortonKey> keys(100000);
  std::iota(keys.begin(), keys.end(), MortonKey(0));
  CHECK(are_distinct(sorted(keys, 16), backwards));
  CHECK(are_distinct(sorted(std::span(keys).first(0), 16)));
  for (std::size_t i : {std::size_t(0), keys.size() / 6, keys.size() / 2 - 1, keys.size() - 2}) {
    auto twins = keys;
    twins[i] = twins[i + 1];
    CHECK_FALSE(are_distinct(sorted(twins, 16)));
  }
}

TEST_CASE("boxes and their lists are the same by any loop") {
  for (auto const& kind : test::tree_point_kinds) {
    CAPTURE(kind);
    auto const x = tree_points(kind, 30000);
    TreeShape const shape{.depth = 16, .capacity = 8};
    auto const keys = sorted(point_keys({}, std::span<double const>(x), 16), 16);
    Tree const tree = make_tree(shape, keys, {}, Targets::sources),
               other = make_tree(shape, keys, {}, Targets::sources, backwards);
    REQUIRE(tree.depth() == other.depth());
    InteractionLists const lists(tree, 4), by_parts(other, 4, KeptLists::inner, backwards);
    std::size_t wrong = 0;
    auto const same = [](SeenBox const& a, SeenBox const& b) {
      return a.level == b.level && a.box == b.box && std::equal(a.image, a.image + 3, b.image);
    };
    Interactions a, b;
    for (int level = 0; level <= tree.depth(); ++level) {
      auto const &boxes = tree.levels[std::size_t(level)], &others = other.levels[std::size_t(level)];
      REQUIRE(boxes.size() == others.size());
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        wrong += std::memcmp(&boxes[i], &others[i], sizeof boxes[i]) != 0;
        lists.of(level, int(i), a);
        by_parts.of(level, int(i), b);
        wrong += !std::ranges::equal(a.u, b.u, same) || !std::ranges::equal(a.v, b.v, same) ||
                 !std::ranges::equal(a.w, b.w, same) || !std::ranges::equal(a.x, b.x, same);
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a few keys are sorted with their numbers") {
  for (std::size_t count : {0u, 1u, 5u, 12u, 13u, 100u, 5000u, 9000u})
    for (MortonKey spread : {MortonKey(1), MortonKey(7), MortonKey(613) << 40}) {
      std::vector<NumberedKey> items, spare(count);
      for (std::uint32_t i = 0; i < count; ++i)
        items.push_back({i * MortonKey(7919) % 613 % spread << 3, (i * 31) % 9973});
      auto wanted = items;
      std::sort(wanted.begin(), wanted.end(),
                [](auto const& a, auto const& b) { return std::pair(a.key, a.number) < std::pair(b.key, b.number); });
      auto const got = sort_few(items, spare);
      CHECK(std::ranges::equal(got, wanted, [](NumberedKey const& a, NumberedKey const& b) {
        return a.key == b.key && a.number == b.number;
      }));
    }
}

TEST_CASE("an oblong root: keys of the points of a cube, stretched like it") {
  for (bool periodic : {false, true}) {
    TreeShape cube{.periodic = periodic}, oblong = cube;
    oblong.half = 1;
    oblong.aspect = {0.5, 1, 0.75};
    auto const x = tree_points("uniform", 1000);
    auto stretched = x;
    for (std::size_t i = 0; i < x.size(); ++i) stretched[i] = 2 * oblong.aspect[i % 3] * (x[i] + (periodic ? 1 : 0));
    CHECK(point_keys(oblong, std::span<double const>(stretched), 4) == point_keys(cube, std::span<double const>(x), 4));
  }
}

TEST_CASE("a point on a face of a periodic root stays in the box there, though rounding puts it outside") {
  for (float edge : {1.05f, 0.986856f, 0.857143f}) {
    TreeShape const shape{.half = double(edge) / 2 * (1 - 1e-8), .periodic = true};
    float const low[3] = {-edge / 2, 0.1f, 0.1f}, high[3] = {edge / 2, 0.1f, 0.1f}, inside = 0.49f * edge;
    float const by_low[3] = {-inside, 0.1f, 0.1f}, by_high[3] = {inside, 0.1f, 0.1f};
    CHECK(point_key(shape, low, 3) == point_key(shape, by_low, 3));
    CHECK(point_key(shape, high, 3) == point_key(shape, by_high, 3));
  }
}

TEST_CASE("occupancy: boxes, pairs and siblings of the tree itself, also where many keys are counted in parts") {
  for (auto const& kind : test::tree_point_kinds)
    for (std::size_t count : {1000, 150000}) {
      auto const x = tree_points(kind, count);
      TreeShape shape;
      auto const keys = sorted(point_keys(shape, std::span<double const>(x), 15), 15);
      auto const found = occupancy(keys, 5);
      for (shape.depth = 0; shape.depth <= 5; ++shape.depth) {
        Tree const tree = make_tree(shape, keys, {}, Targets::sources);
        auto const& leaves = tree.levels.back();
        double pairs = 0, siblings = 0, family = 0;
        for (std::size_t i = 0; i < leaves.size(); ++i) {
          pairs += double(leaves[i].sources()) * leaves[i].sources();
          ++family;
          if (i + 1 < leaves.size() && leaves[i + 1].parent == leaves[i].parent) continue;
          siblings += family * family;
          family = 0;
        }
        CHECK(found.boxes[std::size_t(shape.depth)] == double(leaves.size()));
        CHECK(found.pairs[std::size_t(shape.depth)] == pairs);
        CHECK(found.siblings[std::size_t(shape.depth)] == siblings / double(leaves.size()));
      }
    }
}

TEST_CASE("vectors have numbers, and numbers vectors") {
  for (int ws : {1, 2}) {
    std::set<int> seen;
    int const reach = vector_reach(ws);
    for (int x = -reach; x <= reach; ++x)
      for (int y = -reach; y <= reach; ++y)
        for (int z = -reach; z <= reach; ++z) {
          int const id = vector_id(x, y, z, ws);
          int d[3];
          vector_of(id, ws, d);
          CHECK(d[0] == x);
          CHECK(d[1] == y);
          CHECK(d[2] == z);
          seen.insert(id);
        }
    CHECK(int(seen.size()) == vector_count(ws));
    CHECK(*seen.rbegin() == vector_count(ws) - 1);
  }
}

TEST_CASE("boxes divide the points: each in the box of its place, children in order, leaves by the rule") {
  for (auto const& kind : test::tree_point_kinds) {
    auto const x = tree_points(kind, 700);
    for (int capacity : {0, 5, 50}) {
      TreeShape const shape{.depth = 4, .capacity = capacity};
      Tree const tree = tree_of(shape, x);
      auto const keys = point_keys(shape, std::span<double const>(x), shape.depth);
      for (int level = 0; level <= tree.depth(); ++level) {
        auto const& boxes = tree.levels[std::size_t(level)];
        for (std::size_t b = 0; b < boxes.size(); ++b) {
          auto const& box = boxes[b];
          CHECK(box.sources() > 0);
          MortonKey const key = morton_key(box.at[0], box.at[1], box.at[2]);
          for (auto i = box.source[0]; i < box.source[1]; ++i)
            REQUIRE((keys[tree.source_order[i]] >> (3 * (shape.depth - level))) == key);
          if (b > 0) {
            auto const& before = boxes[b - 1];
            CHECK(morton_key(before.at[0], before.at[1], before.at[2]) < key);
          }
          std::uint32_t in_children = 0;
          for (int c = 0; c < box.children; ++c) {
            auto const& child = tree.levels[std::size_t(level) + 1][std::size_t(box.first_child + c)];
            CHECK(child.parent == int(b));
            in_children += child.sources();
          }
          if (!box.is_leaf()) CHECK(in_children == box.sources());
          bool const small = level == shape.depth || box.sources() <= std::uint32_t(capacity);
          CHECK(box.is_leaf() == small);
        }
      }
    }
  }
}

TEST_CASE("every target gets every source once: open") {
  for (auto const& kind : test::tree_point_kinds)
    for (int ws : {1, 2})
      for (int depth = 0; depth <= 5; ++depth)
        for (int capacity : {0, 1, 10, 100}) {
          CAPTURE(kind);
          CAPTURE(ws);
          CAPTURE(depth);
          CAPTURE(capacity);
          Tree const tree = tree_of({.separation = ws, .depth = depth, .capacity = capacity}, tree_points(kind, 500));
          REQUIRE(all_are(counts(tree), 500));
          REQUIRE(all_are(counts(tree, 20), 500));
        }
}

TEST_CASE("every target gets every source once, and once more from each near image of the cell: periodic") {
  for (auto const& kind : test::tree_point_kinds)
    for (int ws : {1, 2})
      for (int depth = 0; depth <= (ws == 1 ? 4 : 3); ++depth)
        for (int capacity : {0, 10}) {
          CAPTURE(kind);
          CAPTURE(ws);
          CAPTURE(depth);
          CAPTURE(capacity);
          Tree const tree = tree_of({.periodic = true, .separation = ws, .depth = depth, .capacity = capacity},
                                    tree_points(kind, 300));
          REQUIRE(all_are(counts(tree), 300u * (ws == 1 ? 27 : 125)));
        }
}

TEST_CASE("every target gets every source once: targets elsewhere") {
  auto const sources = tree_points("sphere", 400), targets = tree_points("normal", 300, 2);
  for (bool periodic : {false, true})
    for (int capacity : {0, 3, 30}) {
      Tree const tree = tree_of({.periodic = periodic, .depth = 4, .capacity = capacity}, sources, targets);
      CHECK(all_are(counts(tree), 400u * (periodic ? 27 : 1)));
      CHECK(all_are(counts(tree, 10), 400u * (periodic ? 27 : 1)));
    }
}

TEST_CASE("a full tree has the stencils of fmm.md 1.6, and displacements that have a number") {
  struct Known {
    int ws, near, far;
  };
  for (Known const known : {Known{1, 27, 189}, Known{2, 125, 875}}) {
    std::vector<double> x;
    int const depth = 3, n = 1 << depth;
    for (int i = 0; i < n * n * n; ++i)
      for (int p : {i / n / n, i / n % n, i % n}) x.push_back((p + 0.5) / n - 0.5);
    Tree const tree = tree_of({.periodic = true, .separation = known.ws, .depth = depth}, x);
    InteractionLists const lists(tree);
    std::set<int> ids;
    Interactions in;
    for (int level = 1; level <= depth; ++level)
      for (int b = 0; b < int(tree.levels[std::size_t(level)].size()); ++b) {
        lists.of(level, b, in);
        CHECK(int(in.v.size()) == known.far);
        CHECK(int(in.u.size()) == (level == depth ? known.near : 0));
        CHECK(in.w.size() + in.x.size() == 0);
        auto const& box = tree.levels[std::size_t(level)][std::size_t(b)];
        for (SeenBox const& s : in.v) {
          int d[3];
          for (int k = 0; k < 3; ++k) d[k] = box.at[k] - s.at(tree, k);
          REQUIRE(std::max({std::abs(d[0]), std::abs(d[1]), std::abs(d[2])}) <= vector_reach(known.ws));
          ids.insert(vector_id(d[0], d[1], d[2], known.ws));
        }
      }
    CHECK(int(ids.size()) == (known.ws == 1 ? 316 : 1206));
  }
}
