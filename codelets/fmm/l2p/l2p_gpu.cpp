// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/l2p/l2p_gpu.hpp"

#include "codelets/fmm/l2p/l2p.hpp"
#include "core/kernels/instantiate.hpp"

#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)

namespace nearfar {

template <class T, Kernel K, bool G>
void L2P<T, K, G>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  launch_l2p<K, G>(L2PLaunch<T>::of(buffers, args), stream);
}

#define NEARFAR_INSTANTIATE(T, K, G) template void L2P<T, K, G>::gpu(Buffers const&, L2PArgs const&, void*);
NEARFAR_EACH_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

#endif
