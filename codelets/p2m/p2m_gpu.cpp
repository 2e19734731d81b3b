// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/p2m/p2m_gpu.hpp"

#include "codelets/p2m/p2m.hpp"

#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)

namespace nearfar {

template <class T, Kernel K>
void P2M<T, K>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  launch_p2m<K>(P2MLaunch<T>{P2MLaunch<T>::of(buffers, args)}, stream);
}

#define NEARFAR_INSTANTIATE(T)                                                         \
  template void P2M<T, Kernel::laplace>::gpu(Buffers const&, P2MArgs const&, void*);   \
  template void P2M<T, Kernel::stokeslet>::gpu(Buffers const&, P2MArgs const&, void*); \
  template void P2M<T, Kernel::stresslet>::gpu(Buffers const&, P2MArgs const&, void*); \
  template void P2M<T, Kernel::stokes>::gpu(Buffers const&, P2MArgs const&, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

#endif
