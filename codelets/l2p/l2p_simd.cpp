// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/l2p/l2p_simd.hpp"

#include "codelets/l2p/l2p_body.hpp"
#include "codelets/lanes_simd.hpp"

namespace nearfar {

template <class Tag, class T, Kernel K, bool G>
void l2p_simd(Buffers const& buffers, L2PArgs const& args) {
  Evaluation<Batch<T, Tag>, K, G, false> work(args.order);
  l2p<Batch<T, Tag>, K, G, T>(buffers, args, work);
}

template <class Tag, class T, Kernel K, bool G>
void m2p_simd(Buffers const& buffers, M2PArgs const& args) {
  Evaluation<Batch<T, Tag>, K, G, true> work(args.order);
  m2p<Batch<T, Tag>, K, G, T>(buffers, args, work);
}

#define NEARFAR_INSTANTIATE_KERNEL(T, K, G)                                          \
  template void l2p_simd<NEARFAR_SIMD_TAG, T, K, G>(Buffers const&, L2PArgs const&); \
  template void m2p_simd<NEARFAR_SIMD_TAG, T, K, G>(Buffers const&, M2PArgs const&);
#define NEARFAR_INSTANTIATE(T)                            \
  NEARFAR_INSTANTIATE_KERNEL(T, Kernel::laplace, false)   \
  NEARFAR_INSTANTIATE_KERNEL(T, Kernel::laplace, true)    \
  NEARFAR_INSTANTIATE_KERNEL(T, Kernel::stokeslet, false) \
  NEARFAR_INSTANTIATE_KERNEL(T, Kernel::stresslet, false) \
  NEARFAR_INSTANTIATE_KERNEL(T, Kernel::stokes, false)
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
