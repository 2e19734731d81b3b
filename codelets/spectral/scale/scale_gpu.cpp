// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/scale/scale_gpu.hpp"

#include "core/ewald/far_operator.hpp"
#include "core/ewald/influence_operator.hpp"

#if defined(NEARFAR_WITH_GPU_FFT)

namespace nearfar {

template <class Operator>
void Scale<Operator>::gpu(Buffers const& b, Args const& args, void* stream) {
  std::vector<GpuComplex<T>*> tiles;
  for (int i = 0; i < b.count(2); ++i) tiles.push_back(b.get<GpuComplex<T>>(2, i));
  launch_scale<Operator, T>(args, b.get<T const>(0), tiles, stream);
}

#define NEARFAR_INSTANTIATE(Operator) \
  template void Scale<Operator>::gpu(Buffers const&, ScaleArgs<Operator> const&, void*);
#define NEARFAR_INSTANTIATE_FAR(Operator, T, K) \
  template void Scale<Operator<T, K>>::gpu(Buffers const&, ScaleArgs<Operator<T, K>> const&, void*);
#define NEARFAR_INSTANTIATE_ALL(T)                                 \
  NEARFAR_INSTANTIATE_FAR(FarOperator, T, Kernel::stokeslet)       \
  NEARFAR_INSTANTIATE_FAR(FarOperator, T, Kernel::stokes)          \
  NEARFAR_INSTANTIATE_FAR(FarOperator, T, Kernel::laplace)         \
  NEARFAR_INSTANTIATE_FAR(InfluenceOperator, T, Kernel::stokeslet) \
  NEARFAR_INSTANTIATE_FAR(InfluenceOperator, T, Kernel::stokes)    \
  NEARFAR_INSTANTIATE_FAR(InfluenceOperator, T, Kernel::laplace)   \
  NEARFAR_INSTANTIATE(PotentialOperator<T>)                        \
  NEARFAR_INSTANTIATE(FieldOperator<T>)                            \
  NEARFAR_INSTANTIATE(PotentialAndFieldOperator<T>)
NEARFAR_INSTANTIATE_ALL(double)
NEARFAR_INSTANTIATE_ALL(float)

}  // namespace nearfar

#endif
