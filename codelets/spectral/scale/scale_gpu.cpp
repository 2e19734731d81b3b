// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/scale/scale_gpu.hpp"

#include "core/ewald/far_operator.hpp"

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
#define NEARFAR_INSTANTIATE_FAR(T)                                                                                     \
  template void Scale<FarOperator<T, Kernel::stokeslet>>::gpu(                                                         \
      Buffers const&, ScaleArgs<FarOperator<T, Kernel::stokeslet>> const&, void*);                                     \
  template void Scale<FarOperator<T, Kernel::stokes>>::gpu(Buffers const&,                                             \
                                                           ScaleArgs<FarOperator<T, Kernel::stokes>> const&, void*);   \
  template void Scale<FarOperator<T, Kernel::laplace>>::gpu(Buffers const&,                                            \
                                                            ScaleArgs<FarOperator<T, Kernel::laplace>> const&, void*); \
  NEARFAR_INSTANTIATE(PotentialOperator<T>)                                                                            \
  NEARFAR_INSTANTIATE(FieldOperator<T>)                                                                                \
  NEARFAR_INSTANTIATE(PotentialAndFieldOperator<T>)
NEARFAR_INSTANTIATE_FAR(double)
NEARFAR_INSTANTIATE_FAR(float)

}  // namespace nearfar

#endif
