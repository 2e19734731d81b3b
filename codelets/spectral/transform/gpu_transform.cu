// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/transform/gpu_transform.hpp"

#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/spectral/transform/gpu_fft_alias.hpp"
#include "codelets/spectral/transform/plan_cache.hpp"

#include <memory>

namespace nearfar {

namespace {

struct Plan {
  GpuFftPlan handle{};
  std::size_t bytes = 0;                                             ///< of its work area
  std::unique_ptr<std::mutex> use = std::make_unique<std::mutex>();  ///< a run sets the stream and work area
};

std::string text(TransformShape const& s) {
  return std::to_string(s.count) + " transforms of " +
         (s.dimensions == 2 ? std::to_string(s.size[0]) + " x " + std::to_string(s.size[1])
                            : std::to_string(s.size[1])) +
         " points";
}

template <class T>
Plan make_plan(TransformShape const& s, Direction direction) {
  bool const forward = direction == Direction::forward;
  auto const &from = forward ? s.from : s.to, &to = forward ? s.to : s.from;
  auto const* const n = s.size.data() + 2 - s.dimensions;
  long long size[2], from_room[2], to_room[2];
  for (int d = 0; d < s.dimensions; ++d) {
    size[d] = n[d];
    from_room[d] = from.room[std::size_t(d + 2 - s.dimensions)];
    to_room[d] = to.room[std::size_t(d + 2 - s.dimensions)];
  }
  Plan plan;
  gpu_fft_expect(NEARFAR_GPU_FFT(Create)(&plan.handle), "no plan for " + text(s));
  gpu_fft_expect(NEARFAR_GPU_FFT(SetAutoAllocation)(plan.handle, 0), "no plan for " + text(s));
  auto const type = !s.real ? GpuFft<T>::complex_type : forward ? GpuFft<T>::forward_type : GpuFft<T>::inverse_type;
  gpu_fft_expect(NEARFAR_GPU_FFT(MakePlanMany64)(plan.handle, s.dimensions, size, from_room, from.stride, from.distance,
                                                 to_room, to.stride, to.distance, type, s.count, &plan.bytes),
                 "no plan for " + text(s));
  return plan;
}

template <class T>
Plan const& plan_for(TransformShape const& s, Direction direction) {
  static auto& cache = *new PlanCache<Plan>;
  int device = 0;
  gpu_expect(gpu_device(&device), "no device for a transform");
  // A complex transform uses the same plan in both directions.
  std::vector<int> key = s.numbers();
  key.insert(key.end(), {device, s.real ? int(direction) : 2});
  return cache.get(std::move(key), [&] { return make_plan<T>(s, direction); });
}

}  // namespace

template <class T>
void gpu_transform(TransformShape const& shape, Direction direction, void* in, void* out, void* stream) {
  using Real = typename GpuFft<T>::Real;
  using Complex = typename GpuFft<T>::Complex;
  Plan const& plan = plan_for<T>(shape, direction);
  GpuWorkSpace const space(plan.bytes > 0 ? plan.bytes : 1, stream, "a transform");
  std::lock_guard const lock(*plan.use);
  gpu_fft_expect(NEARFAR_GPU_FFT(SetStream)(plan.handle, static_cast<GpuStream>(stream)), "no stream for a transform");
  gpu_fft_expect(NEARFAR_GPU_FFT(SetWorkArea)(plan.handle, space.data()), "no work area for a transform");
  auto const run = [&] {
    if (!shape.real)
      return GpuFft<T>::complex(
          plan.handle, static_cast<Complex*>(in), static_cast<Complex*>(out),
          direction == Direction::forward ? NEARFAR_GPU_FFT_CONSTANT(FORWARD) : NEARFAR_GPU_FFT_CONSTANT(INVERSE));
    if (direction == Direction::forward)
      return GpuFft<T>::forward(plan.handle, static_cast<Real*>(in), static_cast<Complex*>(out));
    return GpuFft<T>::inverse(plan.handle, static_cast<Complex*>(in), static_cast<Real*>(out));
  };
  gpu_fft_expect(run(), "not run: " + text(shape));
}

template void gpu_transform<double>(TransformShape const&, Direction, void*, void*, void*);
template void gpu_transform<float>(TransformShape const&, Direction, void*, void*, void*);

}  // namespace nearfar
