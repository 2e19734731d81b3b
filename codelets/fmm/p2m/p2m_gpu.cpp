// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/p2m/p2m_gpu.hpp"

#include "codelets/fmm/p2m/p2m.hpp"
#include "core/kernels/instantiate.hpp"

#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)

namespace nearfar {

template <class T, Kernel K>
void P2M<T, K>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  launch_p2m<K>(P2MLaunch<T>{P2MLaunch<T>::of(buffers, args)}, stream);
}

#define NEARFAR_INSTANTIATE(T, K) template void P2M<T, K>::gpu(Buffers const&, P2MArgs const&, void*);
NEARFAR_EACH_KERNEL(NEARFAR_INSTANTIATE)

}  // namespace nearfar

#endif
