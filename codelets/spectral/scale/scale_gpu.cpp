// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/scale/scale_gpu.hpp"

#include "codelets/spectral/scale/operators.hpp"

namespace nearfar {

template <class Operator>
void Scale<Operator>::gpu(Buffers const& b, Args const& args, void* stream) {
  std::vector<GpuComplex<T>*> tiles;
  for (int i = 0; i < b.count(2); ++i) tiles.push_back(b.get<GpuComplex<T>>(2, i));
  double* sums = nullptr;
  if constexpr (sums_of<Operator>() > 0) sums = b.get<double>(3);
  launch_scale<Operator, T>(args, b.get<T const>(0), tiles, stream, gpu_part_bytes, sums);
}

#define NEARFAR_INSTANTIATE(T, ...) \
  template void Scale<__VA_ARGS__>::gpu(Buffers const&, ScaleArgs<__VA_ARGS__> const&, void*);
NEARFAR_FOR_EACH_MODE_OPERATOR(NEARFAR_INSTANTIATE, double)
NEARFAR_FOR_EACH_MODE_OPERATOR(NEARFAR_INSTANTIATE, float)

}  // namespace nearfar
