// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/pic/sort/sort_gpu.hpp"
#include "codelets/points/prefix_sums.hpp"

namespace nearfar {

namespace {

template <class T>
struct CountParticle {
  SortPass<T> pass;

  __device__ void operator()(std::int64_t i) const { atomicAdd(pass.places + pass.counter(i), 1); }
};

/// Where each plane's particles begin, and their end.
struct PlaneBegin {
  std::int32_t const* places;
  int planes, ranges;
  std::int32_t count;
  std::int32_t* begin;

  __device__ void operator()(std::int64_t i) const { begin[i] = i < planes ? places[i * ranges] : count; }
};

}  // namespace

template <class T>
void launch_sort(PicGrid const& grid, std::int64_t count, T const* phase, T const* charge, T* sorted,
                 std::int32_t* order, void* stream) {
  int const planes = grid.planes();
  if (count == 0)
    return gpu_expect(gpu_fill(order, 0, std::size_t(planes + 1) * sizeof *order, static_cast<GpuStream>(stream)),
                      "the order of no particles was not set");
  std::int64_t counters = 1;
  for (int d = 0; d < 3; ++d) {
    std::int64_t const range = sort_range(count, grid.layout.size[d]);
    counters = std::max(counters, grid.layout.size[d] * ((count + range - 1) / range));
  }
  GpuWorkSpace const space(std::size_t(2 * count + counters) * sizeof(std::int32_t), stream, "sort");
  auto* const numbers = reinterpret_cast<std::int32_t*>(space.data());
  std::int32_t *from = nullptr, *to = numbers;
  for (int d = 2; d >= 0; --d) {
    SortPass<T> const pass{
        grid, d, phase, count, from, to, numbers + 2 * count, sort_range(count, grid.layout.size[d])};
    std::int64_t const places = std::int64_t(pass.layers()) * pass.ranges();
    gpu_expect(gpu_fill(pass.places, 0, std::size_t(places) * sizeof(std::int32_t), static_cast<GpuStream>(stream)),
               "counters were not set to 0");
    gpu_for_all(count, stream, CountParticle<T>{pass}, "counts particles");
    gpu_prefix_sums(pass.places, places, stream);
    if (d == 0)
      gpu_for_all(planes + 1, stream, PlaneBegin{pass.places, planes, pass.ranges(), std::int32_t(count), order},
                  "tells where planes begin");
    gpu_run_teams<PlaceTeam<T>, std::int32_t>(pass.ranges(), stream, pass, "sorts particles");
    from = to;
    to = from == numbers ? numbers + count : numbers;
  }
  gpu_for_all(count, stream, SortedParticle<T>{phase, charge, count, from, sorted, order + planes + 1},
              "copies sorted particles");
}

template void launch_sort(PicGrid const&, std::int64_t, double const*, double const*, double*, std::int32_t*, void*);
template void launch_sort(PicGrid const&, std::int64_t, float const*, float const*, float*, std::int32_t*, void*);

}  // namespace nearfar
