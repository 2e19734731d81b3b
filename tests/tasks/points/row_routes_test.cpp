// SPDX-License-Identifier: BSD-3-Clause
// Which rows several GPUs of a process send each other: by the definition, however blocks are cut into pieces.
#include "tasks/points/row_routes.hpp"
#include "tasks/points/cell_sort.hpp"
#include "tests/tasks/motion.hpp"

#include <doctest/doctest.h>

#include <nearfar/runtime.hpp>

#include <cstdint>
#include <vector>

using namespace nearfar;
using namespace nearfar::detail;

namespace {

constexpr int gpus = 3, points = 5000;

/// Four blocks along x, and targets of each in two ranges; rows come in an array for each GPU and one of the host.
struct Set {
  Set() {
    for (std::size_t d = 0; d < 3; ++d) {
      frame.cells.edge[d] = 1;
      frame.cells.count[d] = 8;
      frame.cells.periodic[d] = true;
    }
    frame.cells.blocks[0] = 4;
    frame.cells.cutoff = 0.1;
    set_faces<double>(frame.cells);
    for (std::size_t d = 0; d < 3; ++d) frame.origin[d] = first_face(frame.cells, int(d));
    x = test::inside_unit_box(points, 0).x;
  }

  Frame frame;
  std::vector<double> x;
  std::vector<int> const owners{0, 1, 2, 2};
  std::vector<Stretch> const stretches{
      {0, 700, 0, 1}, {700, 2100, 0, 0}, {2100, 2100, 0, 2}, {2100, 4000, 0, 2}, {4000, 5000, 0, 0}};
};

std::vector<std::uint32_t> content(Handle handle, std::size_t count) {
  auto const* const at = static_cast<std::uint32_t const*>(acquire_on_host(handle));
  std::vector<std::uint32_t> const numbers(at, at + count);
  release_on_host(handle);
  return numbers;
}

template <class Check>
void for_pieces(Check const& check) {
  int const usual = rows_of_piece;
  for (int const rows : {usual, 1000, 7}) {
    CAPTURE(rows);
    rows_of_piece = rows;
    check();
  }
  rows_of_piece = usual;
}

}  // namespace

namespace {

void check_sources(BlockedPoints<double> const& sources, Set const& set, SourceRoutes const& routes) {
  std::vector<std::uint32_t> arrive[gpus];  // the caller's rows, in the order in which they come
  for (auto const& packed : routes.packed()) {
    auto& rows = arrive[packed.gpu];
    std::size_t message = 0;
    for (auto const& earlier : routes.packed()) {
      if (&earlier == &packed) break;
      message += earlier.gpu == packed.gpu;
    }
    CHECK(routes.cut(packed.gpu).first[message] == rows.size());
    for (std::uint32_t const row : content(packed.chosen, std::size_t(packed.rows)))
      rows.push_back(row + std::uint32_t(set.stretches[packed.stretch].first));
  }
  std::size_t wrong = 0, all = 0;
  for (int b = 0; b < sources.blocks(); ++b) {
    auto const at = content(routes.rows(b), std::size_t(sources.stride(b)));
    auto const& rows = arrive[set.owners[std::size_t(b)]];
    for (int i = 0; i < sources.stride(b); ++i)
      if (i >= sources.count(b)) wrong += at[std::size_t(i)] != 0;
      else wrong += at[std::size_t(i)] >= rows.size() || rows[at[std::size_t(i)]] != sources.rows(b)[i];
  }
  for (auto const& rows : arrive) all += rows.size();
  CHECK(wrong == 0);
  CHECK(all == std::size_t(points));
}

void check_targets(BlockedPoints<double> const& targets, std::vector<TargetRange> const& ranges,
                   std::vector<int> const& owners, Set const& set, TargetRoutes const& routes) {
  std::size_t wrong = 0, all = 0;
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    std::size_t other = 0;
    for (Taker const& taker : routes.takers(r)) {
      all += std::size_t(taker.count);
      if (taker.rank == owners[r]) continue;
      auto const count = std::size_t(taker.count);
      auto const which = content(routes.points(r, other), count), rows = content(routes.rows(r, other), count);
      Stretch const& stretch = set.stretches[std::size_t(taker.stretch)];
      for (std::size_t k = 0; k < count; ++k) {
        int const point = ranges[r].points.first + int(which[k]);
        wrong += point >= ranges[r].points.last || targets.rows(ranges[r].block)[point] != rows[k] + stretch.first ||
                 rows[k] >= stretch.rows() || (k > 0 && which[k] <= which[k - 1]);
      }
      ++other;
    }
  }
  CHECK(wrong == 0);
  CHECK(all == std::size_t(points));
}

}  // namespace

TEST_CASE(
    "each GPU gets the strengths of its blocks, packed by stretch, and knows where they are; results that another "
    "GPU brings are packed in the order of their points") {
  Runtime const runtime({.gpus = 0});
  Set const set;
  auto const sources = sorted_into_cells<double>(runtime.shared(), set.frame, set.x, "source", false, true),
             targets = sorted_into_cells<double>(runtime.shared(), set.frame, set.x, "target", false, false);
  std::vector<TargetRange> ranges;
  std::vector<int> owners;
  for (int b = 0; b < targets.blocks(); ++b)
    for (PointRange const some : {PointRange{0, 500}, PointRange{500, targets.count(b)}}) {
      ranges.push_back({b, some});
      owners.push_back(set.owners[std::size_t(b)]);
    }
  for_pieces([&] {
    check_sources(sources, set, SourceRoutes(sources, set.owners, set.stretches, in_turn));
    check_targets(targets, ranges, owners, set, TargetRoutes(targets, ranges, owners, set.stretches, true, in_turn));
  });
  REQUIRE(sources_by_tasks(set.owners, set.stretches));
  REQUIRE(targets_by_tasks(owners, set.stretches));
  auto const routes = RowRoutes::by_tasks<double>(runtime.shared(), {sources, set.owners, set.stretches},
                                                  {targets, ranges, owners, set.stretches});
  check_sources(sources, set, routes.sources);
  check_targets(targets, ranges, owners, set, routes.targets);
}
