// SPDX-License-Identifier: BSD-3-Clause
// Trees made as GPUs make them, on the host, and as portable bodies do: the same boxes and tables as core/tree makes.
#include "codelets/tree/tree.cu"

#include "core/plan/fmm/tree_work.hpp"
#include "tests/codelets/host_gpu/tree_parts.hpp"

#include <doctest/doctest.h>
#include <random>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// The points of a block of leaves, as FillLeaves writes them.
template <class T>
struct FilledBlock {
  BoxBlock of;
  std::size_t points, stride;
  Words offset;
  std::vector<std::uint32_t> row;
  std::vector<T> position, near;

  FilledBlock(BoxBlock const& block, std::int32_t leaves, std::size_t count)
      : of(block), points(count), stride(count + 7), offset(std::size_t(leaves) + 1), row(stride, 99),
        position(3 * stride, T(NAN)), near(3 * stride, T(NAN)) {}
};

template <class T>
void check_block(TreeCase<T> const& c, TreeOfHost const& e, CurveCase<T> const& curve, FilledBlock<T> const& filled,
                 bool targets, std::uint32_t twins) {
  TreeBlock const& block = e.blocks.blocks[std::size_t(e.block(filled.of))];
  std::vector<std::uint32_t> expected;
  Words begin{0};
  std::vector<MortonKey> key;
  auto const& order = targets ? e.tree.target_order : e.tree.source_order;
  for (std::int32_t const number : block.boxes) {
    TreeBox const& box = e.tree.levels[std::size_t(filled.of.level)][std::size_t(number)];
    auto const& range = targets ? box.target : box.source;
    expected.insert(expected.end(), order.begin() + range[0], order.begin() + range[1]);
    key.insert(key.end(), curve.keys.begin() + range[0], curve.keys.begin() + range[1]);
    begin.push_back(std::int32_t(expected.size()));
  }
  REQUIRE(expected.size() == filled.points);
  CHECK(filled.offset == begin);
  CHECK(std::equal(expected.begin(), expected.end(), filled.row.begin()));
  bool same = true, coincide = false;
  std::size_t const stride = filled.stride;
  for (std::size_t i = 0; i < stride; ++i) {
    T relative[3] = {}, apart[3] = {};
    if (i < filled.points) REQUIRE(c.place(&curve.rows[3 * expected[i]], relative, apart));
    for (std::size_t d = 0; d < 3; ++d)
      same = same && filled.position[d * stride + i] == relative[d] && filled.near[d * stride + i] == apart[d];
    auto const at = [&](std::size_t p, std::size_t d) { return filled.near[d * stride + p]; };
    for (std::size_t j = i; j-- > 0 && i < filled.points && key[j] == key[i] && !coincide;)
      coincide = at(i, 0) == at(j, 0) && at(i, 1) == at(j, 1) && at(i, 2) == at(j, 2);
  }
  CHECK(same);
  CHECK(twins == std::uint32_t(coincide));
}

/// Of all blocks of leaves of a part.
template <class T>
void check_points(TreeCase<T> const& c, TreeOfHost const& e, CurveCase<T>& curve, BoxesCase& boxes,
                  BoxTree const& outline, int part, bool targets, TreeWay const& way) {
  FillLeavesArgs args{.place = c.place,
                      .points = std::int64_t(curve.keys.size()),
                      .counts = outline.counts,
                      .targets = targets,
                      .find_twins = true};
  std::vector<FilledBlock<T>> filled;
  for (int l = 0; l <= outline.counts.depth; ++l) {
    BoxBlock const of{l, true, part};
    if (outline.size(of) == 0) continue;
    TreeBlock const& block = e.blocks.blocks[std::size_t(e.block(of))];
    auto const points = targets ? block.targets : block.sources;
    filled.emplace_back(of, outline.size(of), points);
    args.block[args.blocks++] = {std::int32_t(points), outline.begin(of)};
  }
  if (filled.empty()) return;
  std::vector<std::uint32_t> twins(filled.size(), 9);
  LocalBuffers b;
  args.cut = add_rows(b, curve.rows, c.parts);
  b.access().add(curve.keys).add(curve.order);
  boxes.add_to(b);
  boxes.add_near_to(b);
  b.access();
  for (FilledBlock<T>& block : filled) b.add(block.offset).add(block.row).add(block.position).add(block.near);
  b.access().add(twins);
  way.run<FillLeaves<T>>(b.view(), args, launch_fill_leaves<T>);
  for (std::size_t k = 0; k < filled.size(); ++k) check_block(c, e, curve, filled[k], targets, twins[k]);
}

/// Boxes and their numbers, against those of the host.
template <class T>
BoxCounts expect_boxes(TreeCase<T> const& c, Tree const& tree, BoxesCase const& boxes,
                       std::vector<std::uint64_t> const& numbers) {
  BoxCounts counts{tree.depth(), c.shape.separation, c.shape.periodic, {}, {}, c.parts};
  std::uint64_t crowd = 0;
  for (int l = 0; l <= counts.depth; ++l) {
    auto const& level = tree.levels[std::size_t(l)];
    counts.begin[l + 1] = std::int32_t(numbers[std::size_t(4 * l)]);
    counts.leaves[l] = std::int32_t(numbers[std::size_t(4 * l + 1)]);
    REQUIRE(counts.size(l) == int(level.size()));
    int leaves = 0;
    for (int k = 0; k < int(level.size()); ++k) {
      TreeBox const& box = level[std::size_t(k)];
      auto const b = std::size_t(counts.begin[l] + k);
      leaves += box.is_leaf();
      if (box.is_leaf()) crowd += std::uint64_t(box.sources()) * box.sources();
      bool good = boxes.key[b] == morton_key(box.at[0], box.at[1], box.at[2]) &&
                  boxes.parent[b] == (l == 0 ? -1 : counts.begin[l - 1] + box.parent) &&
                  std::equal(box.source, box.source + 2, &boxes.source[2 * b]) &&
                  bits_of(std::uint32_t(boxes.children[b])) == box.children;
      if (!box.is_leaf()) good = good && boxes.child[b] == counts.begin[l + 1] + box.first_child;
      if (!c.same()) good = good && std::equal(box.target, box.target + 2, &boxes.target[2 * b]);
      CHECK_UNARY(good);
    }
    REQUIRE(counts.leaves[l] == leaves);
  }
  CHECK(numbers.back() == crowd);
  return counts;
}

/// Larger leaves made of the boxes of a tree that has been made.
template <class T>
void check_pruned(TreeCase<T> const& c, BoxesCase& given, BoxCounts const& counts, int factor, TreeWay const& way) {
  TreeCase<T> larger = c;
  larger.shape.capacity *= factor;
  CAPTURE(larger.shape.capacity);
  TreeOfHost const e(larger);
  BoxesCase boxes(e.tree.boxes(), c.same());
  std::vector<std::uint64_t> numbers(std::size_t(numbers_of_tree(counts.depth)), 77);
  LocalBuffers b;
  given.add_to(b);
  boxes.add_to(b);
  b.access().add(numbers);
  way.run<PruneBoxes>(b.view(), {counts, larger.shape.capacity, std::int32_t(e.tree.boxes())}, launch_prune_boxes);
  expect_boxes(larger, e.tree, boxes, numbers);
}

template <class T>
void check(TreeCase<T> const& c, TreeWay const& way) {
  CAPTURE(c.kind);
  CAPTURE(c.shape.capacity);
  CAPTURE(c.shape.separation);
  CAPTURE(c.shape.periodic);
  CAPTURE(c.few);
  CAPTURE(c.same());
  CAPTURE(c.parts);
  TreeOfHost e(c);
  CurveCase<T> sources(c, c.rows, e.keys, way),
      targets(c, c.same() ? c.rows : c.target_rows, c.same() ? e.keys : e.target_keys, way);

  MakeBoxesArgs make{std::int64_t(c.rows.size() / 3), std::int64_t(c.target_rows.size() / 3), c.level, c.shape.depth,
                     c.shape.capacity};
  if (int const power = CrowdsAtPoint::power_for(c.shape.capacity, CrowdsAtPoint::most); power >= 0) {
    int deepest = sources.levels[std::size_t(power)];
    if (!c.same()) deepest = std::max(deepest, targets.levels[std::size_t(power)]);
    CHECK(deepest >= e.tree.depth());
    make.depth = std::min(make.depth, std::max(1, deepest));
  }
  for (int l = 0; l <= make.depth; ++l)  // as tight as may be
    make.most[l] = l <= e.tree.depth() ? std::int32_t(e.tree.levels[std::size_t(l)].size()) : 0;
  make.room = std::int32_t(e.tree.boxes());
  BoxesCase boxes(e.tree.boxes(), c.same());
  std::vector<std::uint64_t> numbers(std::size_t(numbers_of_tree(make.depth)), 77);
  {
    LocalBuffers b;
    b.access().add(sources.keys);
    if (!c.same()) b.add(targets.keys);
    boxes.add_to(b);
    b.access().add(numbers);
    way.run<MakeBoxes>(b.view(), make, launch_make_boxes);
  }
  BoxCounts const counts = expect_boxes(c, e.tree, boxes, numbers);
  if (c.shape.capacity > 0)
    for (int const factor : {1, 2, 5, 100}) check_pruned(c, boxes, counts, factor, way);

  boxes.near.resize(std::size_t(counts.all()) * std::size_t(counts.near()));
  boxes.parts.resize(std::size_t(counts.depth + 1) * std::size_t(c.parts - 1));
  FindNearArgs near{counts, c.few, c.same() ? make.sources : 0, {.pair = 1, .point = 20, .leaf = 100}};
  auto const find_near = [&] {
    std::vector<std::uint64_t> found(std::size_t(numbers_of_near(near)), 77);
    LocalBuffers b;
    boxes.add_to(b);
    boxes.add_near_to(b);
    b.access().add(found);
    way.run<FindNearBoxes>(b.view(), near, launch_find_near_boxes);
    return found;
  };
  auto const sample = find_near();
  PartNumbers const of_parts = PartNumbers::of(counts);
  std::span const cut = std::span(sample).subspan(std::size_t(numbers_of_sample(near)));
  PartBegins const begins = of_parts.begins(cut.data());
  check_parts(e.tree, outline_of(counts, begins), near, cut.first(std::size_t(c.parts - 1)));
  if (c.parts > 1) {
    auto const begin = boxes.parts;
    near.parts.known = true;
    std::copy_n(cut.begin(), c.parts - 1, near.parts.begin);
    CHECK(find_near() == sample);
    CHECK(std::ranges::equal(begin, boxes.parts, {}, &PartBegin::box, &PartBegin::box));
    CHECK(std::ranges::equal(begin, boxes.parts, {}, &PartBegin::leaf, &PartBegin::leaf));
  }
  e.cut(counts, begins);
  if (c.same()) {
    TreeSight const sight{c.shape.separation, c.shape.periodic, c.shape.periodic ? 27.0 : 1.0};
    std::vector<double> of_levels;
    for (int l = 0; l <= counts.depth; ++l) of_levels.push_back(counts.size(l));
    TreeWork const work = counted_work(e.keys, c.shape.depth, c.shape.capacity, sight, c.few),
                   found = counted_work({double(make.sources), of_levels, double(numbers.back())}, sample);
    CHECK(found.pairs == work.pairs);
    CHECK(found.interactions == work.interactions);
    CHECK(found.shifts == work.shifts);
    CHECK(found.points == work.points);
    CHECK(found.boxes == work.boxes);
    CHECK(found.crowd == doctest::Approx(work.crowd));
    CHECK(found.to_points == work.to_points);
    CHECK(found.to_locals == work.to_locals);
  }

  CountListsArgs const lists{counts, top_of(c.shape), c.few, begins};
  TableCounts tables = counts_of_tables(lists, nullptr);
  Words memory(std::size_t(tables.words()));
  std::vector<std::uint64_t> totals(std::size_t(tables.numbers()), 77), again = totals;
  {
    LocalBuffers b;
    boxes.add_to(b);
    boxes.add_near_to(b);
    b.access().add(memory).add(totals).access().add(again);
    way.run<CountLists>(b.view(), lists, launch_count_all_lists);
  }
  CHECK(totals == again);
  tables.totals = totals.data();
  BoxTree const outline = outline_of(counts, begins);
  for (int part = 0; part < c.parts; ++part) {
    MakeTablesArgs write{lists, part};
    std::vector<Words> const expected = expected_tables(c, e, tables, write);
    std::vector<Words> made;
    for (Words const& words : expected) made.emplace_back(words.size(), 77);
    {
      LocalBuffers b;
      boxes.add_to(b);
      boxes.add_near_to(b);
      b.access().add(memory).add(totals).access();
      for (Words& table : made) b.add(table);
      way.run<MakeTables>(b.view(), write, launch_make_tables);
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CAPTURE(part);
      CAPTURE(i);
      CHECK_UNARY(made[i] == expected[i]);
    }
    check_points(c, e, sources, boxes, outline, part, false, way);
    if (!c.same()) check_points(c, e, targets, boxes, outline, part, true, way);
  }
}

template <class T>
void check_one_level(TreeWay const& way) {
  for (auto const& kind : tree_point_kinds)
    for (bool periodic : {false, true}) {
      for (int separation : {1, 2})
        for (int depth : {2, 4})
          check(TreeCase<T>(kind, 3000, {.periodic = periodic, .separation = separation, .depth = depth}), way);
      check(TreeCase<T>(kind, 1, {.periodic = periodic, .depth = 3}), way);
      check(TreeCase<T>(kind, 700, {.periodic = periodic, .depth = 3}, 0, "uniform", 900), way);
    }
  check(TreeCase<T>("uniform", 40000, {.depth = 4}), way);
}

template <class T>
void check_several_levels(TreeWay const& way) {
  for (auto const& kind : tree_point_kinds)
    for (bool periodic : {false, true})
      for (int separation : {1, 2})
        for (std::uint32_t few : {0, 11}) {
          TreeShape const shape{.periodic = periodic, .separation = separation, .depth = 16, .capacity = 20};
          check(TreeCase<T>(kind, 2500, shape, few), way);
          check(TreeCase<T>(kind, 900, shape, few, "normal", 1500), way);
        }
}

template <class T>
void check_parts_of_trees(TreeWay const& way, std::vector<int> const& counts) {
  for (auto const& kind : tree_point_kinds)
    for (int const parts : counts) {
      bool const periodic = parts % 2 == 0;
      check(TreeCase<T>(kind, 1000, {.periodic = periodic, .depth = 4}).in_parts(parts), way);
      check(TreeCase<T>(kind, 1, {.periodic = periodic, .depth = 3}).in_parts(parts), way);
      check(TreeCase<T>(kind, 700, {.periodic = periodic, .depth = 3}, 0, "uniform", 900).in_parts(parts), way);
      TreeShape const shape{.periodic = periodic, .separation = 1 + parts / 3 % 2, .depth = 16, .capacity = 20};
      check(TreeCase<T>(kind, 800, shape, 11).in_parts(parts), way);
      check(TreeCase<T>(kind, 400, shape, 0, "normal", 600).in_parts(parts), way);
    }
}

}  // namespace

TEST_CASE("trees on one level: as GPUs make them, as core/tree does") {
  check_one_level<double>({true});
  check_one_level<float>({true});
}
TEST_CASE("trees on several levels: as GPUs make them, as core/tree does") {
  check_several_levels<double>({true});
  check_several_levels<float>({true});
}
TEST_CASE("trees cut into parts for several GPUs: blocks and tables as core/tree makes them") {
  check_parts_of_trees<double>({true}, {2, 3, 4});
  check_parts_of_trees<float>({true}, {BoxCounts::most_parts});
}
TEST_CASE("trees: portable bodies") {
  check_one_level<double>({false});
  check_several_levels<double>({false});
  check_parts_of_trees<double>({false}, {2});
}

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
        RowCut const cut = add_rows(b, rows, finite ? 3 : 1);
        b.access().add(extent);
        TreeWay{gpu}.run<FindExtent<double>>(b.view(), {std::int64_t(count), cut}, launch_find_extent<double>);
        CHECK(extent[6] == (finite ? 1 : 0));
        for (std::size_t d = 0; d < 3 && finite; ++d) {
          CHECK(extent[d] == *std::min_element(x[d].begin(), x[d].end()));
          CHECK(extent[3 + d] == -*std::max_element(x[d].begin(), x[d].end()));
        }
      }
    }
}
