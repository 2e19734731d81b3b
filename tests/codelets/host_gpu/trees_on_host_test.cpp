// SPDX-License-Identifier: BSD-3-Clause
// Trees made as GPUs make them, on the host, and as portable bodies do: the same boxes and tables as core/tree makes.
#include "codelets/tree/tree.cu"

#include "core/plan/fmm/tree_work.hpp"
#include "core/tree/lists/lists.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/core/tree/tree_points.hpp"

#include <doctest/doctest.h>
#include <limits>
#include <random>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// Either way to run the stages.
struct Way {
  template <class Stage, class Launch>
  void run(Buffers const& b, typename Stage::Args const& args, Launch const& launch) const {
    if (gpu) launch(b, args, nullptr);
    else Stage::portable(b, args);
  }
  bool gpu;
};

template <class T>
struct Case {
  std::vector<T> rows;
  TreeShape shape;
  RootPlace place;
  int level;

  Case(std::string const& kind, std::size_t count, TreeShape const& s, int key_level) : shape(s), level(key_level) {
    for (double x : tree_points(kind, count)) rows.push_back(T(shape.periodic ? x + 3.25 : x));
    place.periodic = shape.periodic;
    for (int d = 0; d < 3; ++d) {
      place.frame.cells.edge[d] = 1;
      place.frame.cells.periodic[d] = shape.periodic;
      place.centre[d] = shape.periodic ? 0.5 : 0.01;
      place.near_origin[d] = -0.25;
    }
    if (!shape.periodic) shape.half = 0.52;
  }
  std::int64_t points() const { return std::int64_t(rows.size()) / 3; }
};

/// What the host makes of it.
struct Expected {
  SortedKeys keys;
  Occupancy occupancy;
  Tree tree;
  TreeBlocks blocks;
  std::vector<BlockLists> lists;

  template <class T>
  explicit Expected(Case<T> const& c) {
    std::vector<MortonKey> all;
    for (std::int64_t i = 0; i < c.points(); ++i) {
      T relative[3], near[3];
      REQUIRE(c.place(&c.rows[std::size_t(3 * i)], relative, near));
      all.push_back(point_key(c.shape, relative, c.level));
    }
    keys = sorted(all, c.level);
    occupancy = nearfar::occupancy(keys, c.shape.depth);
    tree = make_tree(c.shape, keys, {}, true);
    InteractionLists const found(tree);
    blocks = cut_blocks(
        tree, [](int, int) { return 1; }, std::numeric_limits<double>::infinity());
    for (int b = 0; b < int(blocks.blocks.size()); ++b)
      lists.push_back(lists_of(tree, found, blocks, b, {top_of(c.shape), false}));
  }
};

using Words = std::vector<std::int32_t>;

template <class T>
void check(Case<T> const& c, Way const& way) {
  Expected const e(c);
  auto const n = std::size_t(c.points());
  auto rows = c.rows;

  std::vector<MortonKey> keys(n);
  std::vector<std::uint32_t> order(n);
  std::vector<std::uint64_t> counted(std::size_t(3 * (c.shape.depth + 1)), 77);
  {
    LocalBuffers b;
    b.access().add(rows).access().add(keys).add(order).access().add(counted);
    way.run<SortCurve<T>>(b.view(), {c.place, c.shape, c.points(), c.level, c.shape.depth}, launch_sort_curve<T>);
  }
  CHECK(std::equal(keys.begin(), keys.end(), e.keys.keys.begin()));
  CHECK(std::equal(order.begin(), order.end(), e.keys.order.begin()));
  for (std::size_t d = 0; d < e.occupancy.boxes.size(); ++d) {
    CHECK(double(counted[3 * d]) == e.occupancy.boxes[d]);
    CHECK(double(counted[3 * d + 1]) == e.occupancy.pairs[d]);
    CHECK(double(counted[3 * d + 2]) / double(counted[3 * d]) == e.occupancy.siblings[d]);
  }

  BoxCounts counts{c.shape.depth, c.shape.separation, c.shape.periodic, {}};
  for (int l = 0; l <= c.shape.depth; ++l) counts.boxes[l] = std::int32_t(counted[std::size_t(3 * l)]);
  auto const leaves = std::size_t(counts.boxes[counts.depth]);
  std::vector<MortonKey> leaf(leaves);
  std::vector<std::uint32_t> begin(leaves + 1);
  {
    LocalBuffers b;
    b.access().add(keys).access().add(leaf).add(begin);
    way.run<FindLeaves>(b.view(), {c.points(), c.level, c.shape.depth}, launch_find_leaves);
  }

  auto const all = std::size_t(counts.all());
  int const top = top_of(c.shape);
  MakeBoxesArgs const make{counts, top, c.points()};
  std::vector<MortonKey> key(all);
  Words parent(all), child(all), children(all), near(all * std::size_t(counts.near())),
      memory(std::size_t(words_of_counts(make)));
  std::vector<std::uint64_t> totals(std::size_t(numbers_of_totals(make)), 77);
  {
    LocalBuffers b;
    b.access().add(leaf).add(begin);
    b.access().add(key).add(parent).add(child).add(children).add(near).add(memory).access().add(totals);
    way.run<MakeBoxes>(b.view(), make, launch_make_boxes);
  }
  BlockLists const& last = e.lists.back();
  PairTable<PointRun> const p2p(last.p2p.words.data());
  CHECK(totals[0] == std::uint64_t(p2p.items()));
  CHECK(double(totals[1]) == last.p2p.work);
  TreeSight const sight{c.shape.separation, c.shape.periodic, c.shape.periodic ? 27.0 : 1.0};
  TreeWork const work = counted_work(e.keys, c.shape.depth, 0, sight, 0),
                 found = counted_work(e.occupancy, c.shape.depth, double(n),
                                      std::span(totals).subspan(std::size_t(begin_of_sample(make))));
  CHECK(found.pairs == work.pairs);
  CHECK(found.interactions == work.interactions);
  CHECK(found.shifts == work.shifts);
  CHECK(found.points == work.points);
  CHECK(found.boxes == work.boxes);
  CHECK(found.crowd == doctest::Approx(work.crowd));

  std::vector<Words> tables{Words(5 * leaves, 77), Words(last.p2p.words.size(), 77)};
  std::vector<Words const*> expected;
  for_each_list(counts, {}, top, [&](auto const& list, int number) {
    auto const& lists = e.lists[std::size_t(list.level.level)];
    using List = std::decay_t<decltype(list)>;
    Gather const& gather = std::is_same_v<List, Children>  ? lists.m2m
                           : std::is_same_v<List, Parents> ? lists.l2l
                                                           : lists.m2l;
    RunTable const table(gather.words.data());
    CHECK(totals[std::size_t(2 + 2 * number)] == std::uint64_t(table.interactions()));
    CHECK(totals[std::size_t(3 + 2 * number)] == std::uint64_t(table.runs()));
    expected.push_back(&gather.words);
    tables.emplace_back(gather.words.size(), 77);
  });
  {
    LocalBuffers b;
    b.access().add(leaf).add(begin);
    b.access().add(key).add(parent).add(child).add(children).add(near).add(memory).access();
    for (Words& table : tables) b.add(table);
    way.run<MakeTables>(b.view(), {counts, top, double(totals[1])}, launch_make_tables);
  }
  CHECK(tables[0] == leaf_table(e.tree, e.blocks.blocks.back(), Side::targets));
  CHECK(tables[1] == last.p2p.words);
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(tables[2 + i] == *expected[i]);

  std::size_t const stride = n + 7;
  Words offset(leaves + 1);
  std::vector<std::uint32_t> row(stride, 99);
  std::vector<T> position(3 * stride, T(NAN)), near_position(3 * stride, T(NAN));
  std::uint32_t twins = 9;
  {
    LocalBuffers b;
    b.access().add(rows).access().add(keys).add(order).access().add(begin);
    b.access().add(offset).add(row).add(position).add(near_position).access().add(&twins, 1);
    way.run<FillLeaves<T>>(b.view(), {c.place, c.points(), true}, launch_fill_leaves<T>);
  }
  bool same = true, coincide = false;
  for (std::size_t i = 0; i < stride; ++i) {
    T relative[3] = {}, apart[3] = {};
    if (i < n) {
      CHECK_UNARY(row[i] == order[i]);
      REQUIRE(c.place(&c.rows[3 * order[i]], relative, apart));
    }
    for (std::size_t d = 0; d < 3; ++d)
      same = same && position[d * stride + i] == relative[d] && near_position[d * stride + i] == apart[d];
    auto const at = [&](std::size_t p, std::size_t d) { return near_position[d * stride + p]; };
    for (std::size_t j = i; j-- > 0 && i < n && keys[j] == keys[i];)
      coincide = coincide || (at(i, 0) == at(j, 0) && at(i, 1) == at(j, 1) && at(i, 2) == at(j, 2));
  }
  CHECK(same);
  CHECK(twins == std::uint32_t(coincide));
  CHECK(std::equal(begin.begin(), begin.end(), offset.begin(), [](auto a, auto b) { return int(a) == b; }));
}

template <class T>
void check_all(Way const& way) {
  for (auto const& kind : tree_point_kinds)
    for (bool periodic : {false, true}) {
      CAPTURE(kind);
      CAPTURE(periodic);
      for (int separation : {1, 2})
        for (int depth : {2, 4})
          check(Case<T>(kind, 3000, {.periodic = periodic, .separation = separation, .depth = depth}, 16), way);
      check(Case<T>(kind, 1, {.periodic = periodic, .depth = 3}, 16), way);
      check(Case<T>(kind, 700, {.periodic = periodic, .depth = 3}, 3), way);
    }
  check(Case<T>("uniform", 40000, {.depth = 4}, 16), way);
}

}  // namespace

TEST_CASE("trees on one level: as GPUs make them, as core/tree does") {
  check_all<double>({true});
  check_all<float>({true});
}

TEST_CASE("trees on one level: portable bodies") { check_all<double>({false}); }

TEST_CASE("extents: the smallest and largest coordinates, and whether all are finite") {
  std::mt19937 random(3);
  for (bool gpu : {false, true})
    for (std::size_t count : {1, 500}) {
      std::vector<double> rows(3 * count);
      for (double& x : rows) x = random() / 4294967296.0 - 0.25;
      for (bool finite : {true, false}) {
        if (!finite) rows[3 * (count / 2) + 1] = std::numeric_limits<double>::infinity();
        std::vector<double> extent(extent_numbers, 7), x[3];
        for (std::size_t i = 0; i < rows.size(); ++i) x[i % 3].push_back(rows[i]);
        LocalBuffers b;
        b.access().add(rows).access().add(extent);
        Way{gpu}.run<FindExtent<double>>(b.view(), {std::int64_t(count)}, launch_find_extent<double>);
        CHECK(extent[6] == (finite ? 1 : 0));
        for (std::size_t d = 0; d < 3 && finite; ++d) {
          CHECK(extent[d] == *std::min_element(x[d].begin(), x[d].end()));
          CHECK(extent[3 + d] == -*std::max_element(x[d].begin(), x[d].end()));
        }
      }
    }
}
