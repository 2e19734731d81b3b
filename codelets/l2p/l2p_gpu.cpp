// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/l2p/l2p_gpu.hpp"

#include "codelets/l2p/l2p.hpp"

#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)

namespace nearfar {

template <class T, Kernel K, bool G>
void L2P<T, K, G>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  launch_l2p<K, G>(L2PLaunch<T>::of(buffers, args), stream);
}

#define NEARFAR_INSTANTIATE(T)                                                                \
  template void L2P<T, Kernel::laplace, false>::gpu(Buffers const&, L2PArgs const&, void*);   \
  template void L2P<T, Kernel::laplace, true>::gpu(Buffers const&, L2PArgs const&, void*);    \
  template void L2P<T, Kernel::stokeslet, false>::gpu(Buffers const&, L2PArgs const&, void*); \
  template void L2P<T, Kernel::stresslet, false>::gpu(Buffers const&, L2PArgs const&, void*); \
  template void L2P<T, Kernel::stokes, false>::gpu(Buffers const&, L2PArgs const&, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

#endif
