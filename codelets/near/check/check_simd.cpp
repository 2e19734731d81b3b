// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/check/check_simd.hpp"

#include "codelets/common/lanes_simd.hpp"

namespace nearfar {

template <class Tag, class T, Kernel K, bool G>
void check_simd(CheckBuffers<T> const& b, CheckArgs const& args) {
  check_sums<Batch<double, Tag>, 2, K, G>(b, args);
}

#define NEARFAR_INSTANTIATE_KERNEL(T, K, G) \
  template void check_simd<NEARFAR_SIMD_TAG, T, K, G>(CheckBuffers<T> const&, CheckArgs const&);
#define NEARFAR_INSTANTIATE(T)                            \
  NEARFAR_INSTANTIATE_KERNEL(T, Kernel::laplace, false)   \
  NEARFAR_INSTANTIATE_KERNEL(T, Kernel::laplace, true)    \
  NEARFAR_INSTANTIATE_KERNEL(T, Kernel::stokeslet, false) \
  NEARFAR_INSTANTIATE_KERNEL(T, Kernel::stresslet, false) \
  NEARFAR_INSTANTIATE_KERNEL(T, Kernel::stokes, false)
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
