// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/p2m/p2m_gpu.hpp"

#include "codelets/fmm/p2m/p2l_gpu.hpp"
#include "codelets/fmm/p2m/p2m.hpp"
#include "core/kernels/instantiate.hpp"

#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)

namespace nearfar {

template <class T, Kernel K>
void P2M<T, K>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  launch_p2m<K>(P2MLaunch<T>{P2MLaunch<T>::of(buffers, args)}, stream);
}

template <class T, Kernel K>
void P2L<T, K>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  auto const launch = P2LLaunch<T>::of(buffers, args);
  launch_in_parts<PairSources<T>>(
      buffers.count(2) / 2, [&](int i) { return PairSources<T>::of(buffers, 2, i); },
      [&](auto const& sources) { launch_p2l<K>(launch, sources, stream); });
}

#define NEARFAR_INSTANTIATE(T, K)                                      \
  template void P2M<T, K>::gpu(Buffers const&, P2MArgs const&, void*); \
  template void P2L<T, K>::gpu(Buffers const&, P2LArgs const&, void*);
NEARFAR_EACH_KERNEL(NEARFAR_INSTANTIATE)

}  // namespace nearfar

#endif
