// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/p2p/p2p_gpu.hpp"

#include "codelets/p2p/p2p.hpp"
#include "codelets/p2p/p2p_buffers.hpp"

#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)

namespace nearfar {

template <class T, Kernel K, bool G>
void P2P<T, K, G>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  P2PBuffers<T> const b(buffers);
  P2PLaunch<T> const launch{args, b.tables, b.target, b.offset, b.stride, b.result};
  launch_in_parts<SourceView<T>>(
      args.neighbours.count(), [&](int i) { return b.source(i); },
      [&](auto const& sources) { launch_p2p<K, G>(launch, sources, stream); });
}

#define NEARFAR_INSTANTIATE(T)                                                                \
  template void P2P<T, Kernel::stokeslet, false>::gpu(Buffers const&, P2PArgs const&, void*); \
  template void P2P<T, Kernel::stresslet, false>::gpu(Buffers const&, P2PArgs const&, void*); \
  template void P2P<T, Kernel::stokes, false>::gpu(Buffers const&, P2PArgs const&, void*);    \
  template void P2P<T, Kernel::laplace, false>::gpu(Buffers const&, P2PArgs const&, void*);   \
  template void P2P<T, Kernel::laplace, true>::gpu(Buffers const&, P2PArgs const&, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

#endif
