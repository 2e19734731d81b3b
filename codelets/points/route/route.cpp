// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/route/route.hpp"

#include "codelets/common/portable.hpp"
#include "codelets/points/route/route_body.hpp"

#include <algorithm>
#include <numeric>

namespace nearfar {

void CountRoutes::portable(Buffers const& b, Args const& args) {
  CountRun const count{{b, args}};
  std::int64_t const all = args.begins() - 1;
  portable_for(args.stretches, [&](int s) {
    for (int run = 0; run < args.runs(); ++run) count(std::int64_t(s) * args.runs() + run);
  });
  auto* const begins = count.launch.begins;
  begins[all] = 0;
  std::exclusive_scan(begins, begins + all + 1, begins, 0);
  auto* const first = b.get<std::uint32_t>(2);
  for (int s = 0; s <= args.stretches; ++s) first[s] = std::uint32_t(begins[std::int64_t(s) * args.runs()]);
}

void RouteRows::portable(Buffers const& b, Args const& args) {
  RoutedPoints const& points = args.points;
  ListRun const list{{b, args}};
  portable_for(points.stretches, [&](int s) {
    for (int run = 0; run < points.runs(); ++run) list(std::int64_t(s) * points.runs() + run);
  });
  for (int k = 0; k < points.blocks; ++k)
    if (auto* const place = list.launch.place[k]; place != nullptr)
      std::fill(place + (points.begin[k + 1] - points.begin[k]), place + list.launch.room[k], 0u);
}

}  // namespace nearfar
