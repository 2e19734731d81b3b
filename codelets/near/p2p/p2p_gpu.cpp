// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/p2p/p2p_gpu.hpp"

#include "codelets/near/p2p/p2p.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

template <class T, class K, class A>
void P2P<T, K, A>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  P2PBuffers<T, A> const b(buffers);
  auto const launch = P2PLaunch<T>::of(b, args);
  launch_in_parts<SourceView<A>>(
      args.neighbours.count(), [&](int i) { return b.source(i); },
      [&](auto const& sources) { launch_p2p<K>(launch, sources, stream); });
}

#define NEARFAR_INSTANTIATE(T, A, K) template void P2P<T, K, A>::gpu(Buffers const&, P2PArgs const&, void*);
NEARFAR_EACH_NEAR_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar
