// SPDX-License-Identifier: BSD-3-Clause
// What cuFFT and hipFFT do, by the transforms of CPUs.
#include "codelets/spectral/transform/gpu_transform.hpp"

#include "codelets/spectral/transform/cpu_transform.hpp"
#include "codelets/spectral/transform/plan_cache.hpp"

#include <utility>
#include <vector>

namespace nearfar {

/// Keeps its plans, which take far longer to make than to run.
template <class T>
void gpu_transform(TransformShape const& shape, Direction direction, void* in, void* out, void*) {
  static auto& plans = *new PlanCache<CpuTransform<T>>;
  bool const in_place = in == out;
  std::vector<int> key = shape.numbers();
  key.insert(key.end(), {int(direction), in_place});
  plans.get(std::move(key), [&] {
    TransformPlanning<T> const planning;
    return CpuTransform<T>(planning, shape, direction, {.in_place = in_place, .aligned = false, .measured = false});
  })(in, out);
}

template void gpu_transform<double>(TransformShape const&, Direction, void*, void*, void*);
template void gpu_transform<float>(TransformShape const&, Direction, void*, void*, void*);

}  // namespace nearfar
