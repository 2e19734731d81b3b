// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/g2p/g2p_gpu.hpp"

#include "codelets/spectral/g2p/g2p.hpp"
#include "codelets/spectral/g2p/g2p_buffers.hpp"
#include "core/kernels/instantiate.hpp"

#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)

namespace nearfar {

template <class T, Kernel K, bool G>
void G2P<T, K, G>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  if (args.chunk.count() == 0) return;
  G2PBuffers<T> const b(buffers, args, NearPair<K, G>::results);
  G2PLaunch<T> const launch{args,
                            b.window,
                            b.position,
                            b.stride,
                            b.offset,
                            b.result,
                            b.result_stride,
                            {args.grid.layout.scale(0), args.grid.layout.scale(1), args.grid.layout.scale(2)}};
  launch_in_parts<T const*>(
      args.slabs.count, [&](int i) { return b.slab_data(i); },
      [&](auto const& slabs) { launch_g2p<K, G>(launch, slabs, stream); });
}

#define NEARFAR_INSTANTIATE(T, K, G) template void G2P<T, K, G>::gpu(Buffers const&, G2PArgs const&, void*);
NEARFAR_EACH_GATHERED(NEARFAR_INSTANTIATE)

}  // namespace nearfar

#endif
