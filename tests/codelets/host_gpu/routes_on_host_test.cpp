// SPDX-License-Identifier: BSD-3-Clause
// Which rows go where, as GPUs find it, on the host.
#include "codelets/points/route/route.cu"

#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/local_buffers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// Three blocks, of which the second is empty; or a range within the last one.
struct Routed {
  explicit Routed(bool range) : rows{AlignedVector<std::uint32_t>(1700), {}, AlignedVector<std::uint32_t>(3300)} {
    std::vector<std::uint32_t> all(5000);
    std::iota(all.begin(), all.end(), 0u);
    std::shuffle(all.begin(), all.end(), std::mt19937(5));
    std::copy_n(all.begin(), 1700, rows[0].begin());
    std::copy_n(all.begin() + 1700, 3300, rows[2].begin());
    args.stretches = 4;
    std::uint32_t const begins[] = {0, 7, 7, 2345, 5000};  // one is empty
    std::copy(std::begin(begins), std::end(begins), args.row);
    args.blocks = 3;
    std::int32_t const points[] = {0, 1700, 1700, 5000};
    std::copy(std::begin(points), std::end(points), args.begin);
    if (!range) return;
    rows.erase(rows.begin(), rows.begin() + 2);
    args.blocks = 1;
    args.begin[1] = 1001;
    args.skipped = 777;
  }

  std::vector<AlignedVector<std::uint32_t>> rows;
  RoutedPoints args;
};

struct Found {
  AlignedVector<std::int32_t> begins;
  AlignedVector<std::uint32_t> first;
  std::vector<AlignedVector<std::uint32_t>> lists, points, places;
};

template <class Count, class Route>
Found found_by(Count const& count, Route const& route, bool range) {
  Routed of(range);
  Found found;
  found.begins.assign(std::size_t(of.args.begins()), -7);
  found.first.assign(std::size_t(of.args.stretches) + 1, 99);
  {
    LocalBuffers b;
    b.access();
    for (auto& rows : of.rows) b.add(rows);
    b.access().add(found.begins).access().add(found.first);
    count(b.view(), of.args);
  }
  RouteRowsArgs args{of.args};
  for (int const s : {0, 3}) {
    args.listed[s] = true;
    auto const size = found.first[std::size_t(s) + 1] - found.first[std::size_t(s)];
    found.lists.emplace_back(size, 99u);
    if (range) found.points.emplace_back(size, 99u);
  }
  for (auto& rows : of.rows)
    if (!range) found.places.emplace_back(rows.size() + 9, 99u);
  LocalBuffers b;
  b.access();
  for (auto& rows : of.rows) b.add(rows);
  b.access().add(found.begins).access();
  for (auto& list : found.lists) b.add(list);
  b.access();
  for (auto& list : found.points) b.add(list);
  b.access();
  for (auto& list : found.places) b.add(list);
  route(b.view(), args);
  return found;
}

}  // namespace

TEST_CASE("routes: rows go where the portable bodies send them, and by the definition") {
  for (bool const range : {false, true}) {
    CAPTURE(range);
    Found const a = found_by(CountRoutes::portable, RouteRows::portable, range);
    Found const b = found_by(
        [](Buffers const& buffers, RoutedPoints const& args) {
          launch_count_routes({buffers, args}, buffers.get<std::uint32_t>(2), nullptr);
        },
        [](Buffers const& buffers, RouteRowsArgs const& args) {
          launch_route_rows({buffers, args}, nullptr);
        },
        range);
    CHECK(a.begins == b.begins);
    CHECK(a.first == b.first);
    CHECK(a.lists == b.lists);
    CHECK(a.points == b.points);
    CHECK(a.places == b.places);

    Routed const of(range);
    std::size_t list = 0, wrong = 0;
    for (int s = 0; s < of.args.stretches; ++s) {
      std::vector<std::uint32_t> rows, points;
      for (int i = 0, block = 0; i < of.args.points(); ++i) {
        while (i >= of.args.begin[block + 1]) ++block;
        int const at = i - of.args.begin[block] + of.args.skipped;
        std::uint32_t const row = of.rows[std::size_t(block)][std::size_t(at)];
        if (row < of.args.row[s] || row >= of.args.row[s + 1]) continue;
        if (!range) wrong += a.places[std::size_t(block)][std::size_t(at)] != a.first[std::size_t(s)] + rows.size();
        rows.push_back(row - of.args.row[s]);
        points.push_back(std::uint32_t(i));
      }
      wrong += a.first[std::size_t(s) + 1] - a.first[std::size_t(s)] != rows.size();
      if (s != 0 && s != 3) continue;
      wrong += !std::equal(rows.begin(), rows.end(), a.lists[list].begin(), a.lists[list].end());
      if (range) wrong += !std::equal(points.begin(), points.end(), a.points[list].begin(), a.points[list].end());
      ++list;
    }
    for (auto const& place : a.places)
      wrong += std::size_t(std::count_if(place.end() - 9, place.end(), [](auto at) { return at != 0; }));
    CHECK(wrong == 0);
  }
}
