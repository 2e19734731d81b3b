// SPDX-License-Identifier: BSD-3-Clause
// What cuFFT and hipFFT do, by the transforms of CPUs.
#include "codelets/spectral/transform/gpu_transform.hpp"

#include "codelets/spectral/transform/cpu_transform.hpp"
#include "codelets/spectral/transform/plan_cache.hpp"

#include <vector>

namespace nearfar {

namespace {

std::vector<int> key_of(TransformShape const& s, Direction direction, bool in_place) {
  std::vector<int> key{s.real, s.dimensions, s.size[0], s.size[1], s.count, int(direction), in_place};
  for (auto const& side : {s.from, s.to})
    key.insert(key.end(), {side.room[0], side.room[1], side.stride, side.distance});
  return key;
}

}  // namespace

/// Keeps its plans, which take far longer to make than to run.
template <class T>
void gpu_transform(TransformShape const& shape, Direction direction, void* in, void* out, void*) {
  static auto& plans = *new PlanCache<CpuTransform<T>>;
  bool const in_place = in == out;
  plans.get(key_of(shape, direction, in_place), [&] {
    TransformPlanning<T> const planning;
    return CpuTransform<T>(planning, shape, direction, {.in_place = in_place, .aligned = false, .measured = false});
  })(in, out);
}

template void gpu_transform<double>(TransformShape const&, Direction, void*, void*, void*);
template void gpu_transform<float>(TransformShape const&, Direction, void*, void*, void*);

}  // namespace nearfar
