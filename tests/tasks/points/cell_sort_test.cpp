// SPDX-License-Identifier: BSD-3-Clause
// Points in cells: by the definition, whether the caller's thread or tasks sort them.
#include "core/geometry/cell_sort.hpp"
#include "codelets/points/count_columns/content_of_columns.hpp"
#include "tasks/points/cell_sort.hpp"
#include "tasks/points/gpu_cell_sort.hpp"
#include "tasks/points/spare_rooms.hpp"
#include "tests/tasks/motion.hpp"
#include "tests/tasks/points/frames.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

using namespace nearfar;
using namespace nearfar::detail;
using test::frame_with;

namespace {

constexpr std::size_t by_tasks = 40000, here = 5000;  // points; see sort_workers

template <class T>
void check_definition(Frame const& frame, std::vector<T> const& x, BlockedPoints<T> const& points) {
  std::vector<int> seen(x.size() / 3, 0);
  std::size_t wrong = 0;
  for (int b = 0; b < points.blocks(); ++b) {
    Block const block = block_at(frame.cells, b);
    BlockArrays<T> const arrays = points.arrays(b);
    wrong += arrays.offset[0] != 0 || arrays.offset[arrays.cells] != arrays.points;
    for (int c = 0; c < arrays.cells; ++c)
      for (int i = arrays.offset[c]; i < arrays.offset[c + 1]; ++i) {
        std::uint32_t const row = arrays.row[i];
        ++seen[row];
        wrong += i > arrays.offset[c] && arrays.row[i - 1] >= row;  // in the caller's order
        T at[3] = {}, near[3];
        wrong += !place_point(frame, &x[3 * row], at);
        place_point_near(frame, &x[3 * row], at, near);
        int cell[3];
        for (int d = 0; d < 3; ++d) {
          std::int64_t const place = d * arrays.stride + i;
          cell[d] = frame.cells.cell(d, double(at[d]));
          wrong += arrays.position[place] != at[d] || points.near(b)[place] != near[d];
          wrong += arrays.rough != nullptr && arrays.rough[place] != float(near[d]);
          wrong += (arrays.given != nullptr ? arrays.given[place] : at[d]) != x[3 * row + std::size_t(d)];
        }
        wrong += cell_in_block(frame.cells, block, cell[0], cell[1], cell[2]) != c;
      }
    for (int d = 0; d < 3; ++d)
      for (std::int64_t i = d * arrays.stride + arrays.points; i < (d + 1) * arrays.stride; ++i)
        wrong += arrays.position[i] != 0;
  }
  for (int count : seen) wrong += count != 1;
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("every point is once in its cell, in the caller's order, in every form") {
  Runtime const runtime({.gpus = 0});
  for (bool periodic : {true, false})
    for (std::size_t n : {std::size_t(1), here, by_tasks}) {
      CAPTURE(periodic);
      CAPTURE(n);
      auto const frame = frame_with(periodic);
      auto x = test::inside_unit_box(n, 0).x;
      if (periodic) x[0] = -1.25;
      check_definition(frame, x, sorted_into_cells<double>(runtime.shared(), frame, x, "source", periodic, true));
      auto const single = test::inside_unit_box<float>(n, 0).x;
      check_definition(frame, single, sorted_into_cells<float>(runtime.shared(), frame, single, "source", true, false));
    }
}

namespace {

/// Stretches of points in the box, some on its faces, and of others in all boxes around it.
template <class T>
void check_images(double edge) {
  CAPTURE(edge);
  Runtime const runtime({.gpus = 0});
  auto const frame = frame_with<T>(true, 3, edge);
  for (std::size_t n : {here, by_tasks}) {
    auto x = test::inside_unit_box<T>(n, 0).x;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = T(edge * double(x[i]));
      if (i / 900 % 3 == 1) x[i] += T(edge) * T(int(i % 7) - 3);
      if (i % 1000 == 999) x[i] = T(edge) * T(int(i / 1000 % 3) - 1);
    }
    check_definition(frame, x, sorted_into_cells<T>(runtime.shared(), frame, x, "source", true, false));
  }
}

}  // namespace

TEST_CASE("points on faces and in other boxes are where their definition says, also where many are placed at a time") {
  for (double edge : {1.0, 1.1, 1.7}) {
    check_images<double>(edge);
    check_images<float>(edge);  // which does not have all of these edges
  }
}

TEST_CASE("points of a lattice are alike in most coordinates, and yet apart") {
  Runtime const runtime({.gpus = 0});
  auto const frame = frame_with(true);
  for (int side : {8, 40}) {  // few and many in a cell
    std::vector<double> x;
    for (int i = 0; i < side * side * side; ++i)
      for (int at : {i / side / side, i / side % side, i % side}) x.push_back(at / double(side));
    auto const sort = [&] { return sorted_into_cells<double>(runtime.shared(), frame, x, "source", true, true); };
    check_definition(frame, x, sort());
    std::copy_n(&x[3 * 100], 3, &x[3 * 200]);
    CHECK_THROWS_WITH_AS(sort(), doctest::Contains("sources 100 and 200 are at the same point"), Error);
  }
}

TEST_CASE("a few large blocks are sorted in pieces by all workers, to the same bits as by one") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  auto const x = test::inside_unit_box(by_tasks, 0).x;
  for (int blocks : {1, 2}) {
    CAPTURE(blocks);
    auto const frame = frame_with(true, blocks);
    auto const sort = [&] { return sorted_into_cells<double>(runtime.shared(), frame, x, "source", true, true); };
    check_definition(frame, x, sort());
    auto twins = x;
    std::copy_n(twins.begin() + 300, 3, twins.begin() + 3 * 30000);
    CHECK_THROWS_WITH_AS(sorted_into_cells<double>(runtime.shared(), frame, twins, "source", true, true),
                         doctest::Contains("30000"), Error);
  }
}

TEST_CASE("the near part's coordinate of a point is that of its definition, also some edges away") {
  auto const frame = frame_with(true);
  std::size_t wrong = 0;
  for (double const& v : test::inside_unit_box(2000, 0).x)
    for (double image : {-3.0, -1.0, 0.0, 1.0, 2.0}) {
      double const row[3] = {v + image, image, v - image / 2};
      double x[3] = {}, near[3];
      wrong += !place_point(frame, row, x);
      place_point_near(frame, row, x, near);
      for (int d = 0; d < 3; ++d)
        wrong += near[d] != near_coordinate<double>(frame.cells, d, frame.cells.cell(d, x[d]), row[d], x[d]);
    }
  CHECK(wrong == 0);
}

TEST_CASE("all points in one cell, and all in one block") {
  Runtime const runtime({.gpus = 0});
  auto const frame = frame_with(true);
  auto x = test::inside_unit_box(by_tasks, 0).x;
  for (double& v : x) v = 0.5 + 1e-3 * v;
  check_definition(frame, x, sorted_into_cells<double>(runtime.shared(), frame, x, "source", true, true));
}

TEST_CASE("the first bad point and the first pair at one place are named, also by tasks") {
  Runtime const runtime({.gpus = 0});
  for (std::size_t n : {here, by_tasks}) {
    CAPTURE(n);
    auto const frame = frame_with(false);
    auto const good = test::inside_unit_box(n, 0).x;
    auto const says = [&](std::vector<double> const& x) {
      return test::refusal_of([&] { sorted_into_cells<double>(runtime.shared(), frame, x, "source", false, true); });
    };
    auto x = good;
    x[3 * (n - 1)] = std::nan("");
    x[3 * (n / 2) + 2] = 1.5;
    CHECK(says(x).find("coordinate z of source " + std::to_string(n / 2) + " is 1.5") == 0);
    x = good;
    std::copy_n(&x[3 * 7], 3, &x[3 * (n - 2)]);
    CHECK(says(x).find("sources 7 and " + std::to_string(n - 2) + " are at the same point") == 0);
  }
}

TEST_CASE("two points at one place are found among numbers with few digits") {
  int const n = 4096;
  std::vector<double> x(3 * n);
  for (int i = 0; i < n; ++i) {
    x[std::size_t(i)] = i / 256;
    x[std::size_t(n + i)] = i / 16 % 16;
    x[std::size_t(2 * n + i)] = i % 16 * 0.5;
  }
  std::vector<std::int32_t> table(std::size_t(twin_table_size(n)));
  CHECK_FALSE(has_twins(x.data(), n, n, table.data()));
  x[2 * n] = -0.0;  // as 0
  CHECK_FALSE(has_twins(x.data(), n, n, table.data()));
  x[2 * n + 1] = 0;
  CHECK(has_twins(x.data(), n, n, table.data()));
  CHECK_FALSE(has_twins(x.data(), n, 1, table.data()));
  CHECK_FALSE(has_twins(x.data(), n, 0, table.data()));
}

namespace {

void check_same(std::vector<ColumnContent> const& a, std::vector<ColumnContent> const& b) {
  REQUIRE(a.size() == b.size());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < a.size(); ++i) wrong += a[i].points != b[i].points || a[i].pairs != b[i].pairs;
  CHECK(wrong == 0);
}

template <class T>
std::vector<ColumnContent> content_of(GpuCellSort<T> const& sorting, BlockedPoints<T> const& sources,
                                      BlockedPoints<T> const& targets) {
  return content_of_columns(sorting.columns(), sources.block_offsets(), targets.block_offsets(), in_turn);
}

/// In two arrays of one process, ordered as by so many GPUs and sorted by tasks that each fill a block, and by loops.
template <class T>
void check_block_tasks(Runtime const& runtime, bool periodic, std::array<int, 3> const& blocks, int gpus,
                       int finer = 1) {
  CAPTURE(gpus);
  Frame frame = frame_with<T>(periodic);
  for (int& count : frame.cells.count) count *= finer;
  std::copy(blocks.begin(), blocks.end(), frame.cells.blocks);
  auto x = test::inside_unit_box<T>(here, 0).x;
  for (std::size_t i = 0; i < x.size() && periodic; i += 7) x[i] += T(int(i % 5) - 2);
  std::span<T const> const all(x);
  for (std::size_t const first : {std::size_t(0), std::size_t(3 * 701)}) {
    GivenArrays<T const> given(all);
    if (first > 0) given = Arrays<T const>({all.first(first), all.subspan(first)});
    auto const expected = sorted_into_cells<T>(runtime.shared(), frame, x, "source", periodic, true);
    GpuCellSort<T> sorting(runtime.shared(), frame, given, {"source", periodic, true, gpus}, nullptr);
    auto const points = sorting.points();
    REQUIRE(points.blocks() == expected.blocks());
    if (points.blocks() > 1) check_same(sorting.content(), content_of(sorting, expected, expected));
    points.bring_rows_to_host(runtime.shared());  // the rest stays where it is
    std::size_t wrong = 0;
    for (int b = 0; b < points.blocks(); ++b) {
      wrong += points.count(b) != expected.count(b) || points.groups(b) != expected.groups(b);
      int const layers = frame.cells.cells_in(0, block_at(frame.cells, b).at[0]);
      for (int layer = 0; layer <= layers && points.blocks() > 1; ++layer)  // they are known
        wrong += points.before_layer(b, layer, layers) != expected.before_layer(b, layer, layers);
      wrong += !std::equal(points.rows(b), points.rows(b) + points.count(b), expected.rows(b));
    }
    CHECK(wrong == 0);
    points.bring_to_host(runtime.shared());
    check_definition(frame, x, points);
  }
}

}  // namespace

TEST_CASE("points sorted by a task for each block are where loops have them, in all forms") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  for (bool const periodic : {true, false})
    for (std::array<int, 3> const& blocks : {std::array{1, 1, 1}, std::array{4, 1, 1}, std::array{3, 2, 3}}) {
      for (int const gpus : {1, 2, 3}) {
        check_block_tasks<double>(runtime, periodic, blocks, gpus);
        check_block_tasks<float>(runtime, periodic, blocks, gpus);
      }
    }
  check_block_tasks<double>(runtime, true, {3, 2, 3}, 40, 11);  // so many cells that loops over them are tasks, too
}

TEST_CASE("targets that tasks sort are counted near the sources, as on the host") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  for (int const gpus : {1, 3}) {
    Frame frame = frame_with(true);
    auto const x = test::inside_unit_box(here, 0, 1).x, y = test::inside_unit_box(here / 3, 0, 2).x;
    GpuCellSort<double> from(runtime.shared(), frame, x, {"source", false, false, gpus}, nullptr),
        to(runtime.shared(), frame, y, {"target", true, false, 2}, nullptr, &from);
    from.counted();
    to.counted();
    auto const sources = sorted_into_cells<double>(runtime.shared(), frame, x, "source", false, false),
               targets = sorted_into_cells<double>(runtime.shared(), frame, y, "target", false, false);
    check_same(to.content(), content_of(to, sources, targets));
    check_same(from.content(), content_of(from, sources, sources));
    check_definition(frame, y, [&] {
      auto points = to.points();
      points.bring_to_host(runtime.shared());
      return points;
    }());
  }
}

TEST_CASE("a task for each block leaves empty ones empty, and tells of points as loops do") {
  Runtime const runtime({.gpus = 0});
  Frame const frame = frame_with(false);
  auto x = test::inside_unit_box(here, 0).x;
  for (double& v : x) v = 0.5 + 1e-3 * v;
  auto const sort = [&](int gpus = 3) {
    return sorted_on_gpu<double>(runtime.shared(), frame, x, {"source", false, true, gpus});
  };
  auto const points = sort();
  points.bring_to_host(runtime.shared());
  check_definition(frame, x, points);
  auto const says = [&] {
    auto const by_loops =
        test::refusal_of([&] { sorted_into_cells<double>(runtime.shared(), frame, x, "source", false, true); });
    for (int const gpus : {1, 3}) CHECK(test::refusal_of([&] { sort(gpus); }) == by_loops);
    return by_loops;
  };
  std::copy_n(&x[3 * 7], 3, &x[3 * 4000]);
  CHECK(says().find("sources 7 and 4000 are at the same point") == 0);
  x[3 * 4500] = std::nan("");
  x[3 * 2500 + 2] = 1.5;
  CHECK(says().find("coordinate z of source 2500 is 1.5") == 0);
}

TEST_CASE("points that replace each other are in two rooms in turn, where nothing is left of the ones before") {
  Runtime const owner({.gpus = 0});
  auto const runtime = owner.shared();
  Frame const frame = frame_with(true, 1);
  SpareRooms rooms;
  using Points = BlockedPoints<double>;
  auto const sorted = [&](std::vector<double> const& x, std::shared_ptr<KeptRoom> room) {
    return GpuCellSort<double>(runtime, frame, x, {"source", true, true}, std::move(room)).points();
  };
  auto const expect = [&](Points const& points, std::vector<double> const& x) {
    points.bring_to_host(runtime);
    check_definition(frame, x, points);
    for (Handle const handle : points.handles()) CHECK(is_constant(handle));
  };
  std::vector<std::vector<double>> x;
  for (unsigned seed = 1; seed <= 4; ++seed) x.push_back(test::inside_unit_box(here, 0, seed).x);
  std::vector<std::vector<Handle>> handles;
  std::optional<Points> last;
  for (auto const& positions : x) {
    Points points = sorted(positions, rooms.take(here));
    handles.push_back(points.handles());
    expect(points, positions);
    if (last) expect(*last, x[handles.size() - 2]);
    last.emplace(std::move(points));
  }
  CHECK(handles[0] != handles[1]);
  CHECK(handles[2] == handles[0]);
  CHECK(handles[3] == handles[1]);

  std::vector<double> const fewer(x[0].begin(), x[0].begin() + 3 * 1000);
  Points const other = sorted(fewer, rooms.take(1000));
  expect(other, fewer);
  expect(*last, x[3]);
  CHECK(rooms.take(1'000'000) == nullptr);  // of so many, solves are not captured
}
