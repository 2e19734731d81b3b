// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/points/prefix_sums.hpp"
#include "codelets/points/route/route_gpu.hpp"

namespace nearfar {

namespace {

constexpr char routes[] = "finds which rows go where";

struct TakeFirst {
  RoutedPoints points;
  std::int32_t const* begins;
  std::uint32_t* first;

  NEARFAR_FUNCTION void operator()(std::int64_t s) const { first[s] = std::uint32_t(begins[s * points.runs()]); }
};

}  // namespace

void launch_count_routes(RouteLaunch const& launch, std::uint32_t* first, void* stream) {
  std::int64_t const all = launch.points.begins() - 1;
  gpu_for_all(all, stream, CountRun{launch}, routes);
  gpu_expect(gpu_fill(launch.begins + all, 0, sizeof *launch.begins, static_cast<GpuStream>(stream)),
             "a count of rows was not set to 0");
  gpu_prefix_sums(launch.begins, all + 1, stream);
  gpu_for_all(launch.points.stretches + 1, stream, TakeFirst{launch.points, launch.begins, first}, routes);
}

void launch_route_rows(RouteLaunch const& launch, void* stream) {
  RoutedPoints const& points = launch.points;
  gpu_for_all(points.begins() - 1, stream, ListRun{launch}, routes);
  for (int k = 0; k < points.blocks; ++k) {
    if (launch.place[k] == nullptr) continue;
    std::int64_t const here = points.begin[k + 1] - points.begin[k];
    gpu_expect(gpu_fill(launch.place[k] + here, 0, std::size_t(launch.room[k] - here) * sizeof(std::uint32_t),
                        static_cast<GpuStream>(stream)),
               "padding of rows was not set to 0");
  }
}

}  // namespace nearfar
