// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/p2p/p2p_gpu.hpp"

#include "codelets/near/p2p/p2p.hpp"
#include "codelets/near/p2p/p2p_buffers.hpp"
#include "core/kernels/instantiate.hpp"

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

#define NEARFAR_INSTANTIATE(T, K, G) template void P2P<T, K, G>::gpu(Buffers const&, P2PArgs const&, void*);
NEARFAR_EACH_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

#endif
