// SPDX-License-Identifier: BSD-3-Clause
// What cuFFT and hipFFT do, by the transforms of CPUs.
#include "codelets/spectral/transform/gpu_transform.hpp"

#include "codelets/spectral/transform/cpu_transform.hpp"

namespace nearfar {

template <class T>
void gpu_transform(TransformShape const& shape, Direction direction, void* in, void* out, void*) {
  TransformPlanning<T> const planning;
  PlanUse const use{.in_place = in == out, .aligned = false, .measured = false};
  CpuTransform<T>(planning, shape, direction, use)(in, out);
}

template void gpu_transform<double>(TransformShape const&, Direction, void*, void*, void*);
template void gpu_transform<float>(TransformShape const&, Direction, void*, void*, void*);

}  // namespace nearfar
