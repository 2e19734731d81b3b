// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/route/route.hpp"

namespace nearfar {

/// Pointers of a task.
struct RouteLaunch {
  RoutedPoints points;
  std::uint32_t const* row[RoutedPoints::max_blocks] = {};
  std::int32_t* begins = nullptr;
  std::uint32_t *list[RoutedPoints::max_stretches] = {}, *point[RoutedPoints::max_stretches] = {};
  std::uint32_t* place[RoutedPoints::max_blocks] = {};
  std::int64_t room[RoutedPoints::max_blocks] = {};  ///< for places, with padding

  RouteLaunch(Buffers const& b, RoutedPoints const& points_) : points(points_) {
    for (int k = 0; k < points.blocks; ++k) row[k] = b.get<std::uint32_t const>(0, k);
    begins = b.get<std::int32_t>(1);
  }
  RouteLaunch(Buffers const& b, RouteRowsArgs const& args) : RouteLaunch(b, args.points) {
    int next = 0;
    for (int s = 0; s < points.stretches; ++s) {
      if (!args.listed[s]) continue;
      list[s] = b.get<std::uint32_t>(2, next);
      if (b.count(3) > 0) point[s] = b.get<std::uint32_t>(3, next);
      ++next;
    }
    for (int k = 0; k < points.blocks && b.count(4) > 0; ++k) {
      place[k] = b.get<std::uint32_t>(4, k);
      room[k] = b.size<std::uint32_t>(4, k);
    }
  }

  /// Of one run in one stretch: visit(point among these, block, point of the block, row).
  template <class Visit>
  NEARFAR_FUNCTION void visit(int stretch, int run, Visit const& visit) const {
    std::uint32_t const from = points.row[stretch], to = points.row[stretch + 1];
    int const first = run * points.run,
              end = first + points.run < points.points() ? first + points.run : points.points();
    int block = 0;
    for (int i = first; i < end; ++i) {
      while (i >= points.begin[block + 1]) ++block;
      int const at = i - points.begin[block] + points.skipped;
      if (std::uint32_t const number = row[block][at]; number >= from && number < to) visit(i, block, at, number);
    }
  }
};

/// Calls for [stretch][run].
struct CountRun {
  RouteLaunch launch;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int const runs = launch.points.runs();
    int count = 0;
    launch.visit(int(i / runs), int(i % runs), [&](int, int, int, std::uint32_t) { ++count; });
    launch.begins[i] = count;
  }
};
struct ListRun {
  RouteLaunch launch;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int const runs = launch.points.runs(), stretch = int(i / runs);
    std::uint32_t *const list = launch.list[stretch], *const point = launch.point[stretch];
    std::int32_t const first = launch.begins[std::int64_t(stretch) * runs];
    std::int32_t next = launch.begins[i];
    launch.visit(stretch, int(i % runs), [&](int number, int block, int at, std::uint32_t row) {
      if (list != nullptr) list[next - first] = row - launch.points.row[stretch];
      if (point != nullptr) point[next - first] = std::uint32_t(number);
      if (launch.place[block] != nullptr) launch.place[block][at] = std::uint32_t(next);
      ++next;
    });
  }
};

}  // namespace nearfar
