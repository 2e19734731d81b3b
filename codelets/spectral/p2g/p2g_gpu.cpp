// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/p2g/p2g_gpu.hpp"

#include "codelets/spectral/p2g/p2g.hpp"
#include "codelets/spectral/p2g/p2g_buffers.hpp"

#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)

namespace nearfar {

template <class T, bool D>
void P2G<T, D>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  P2GBuffers<T> const b(buffers);
  P2GLaunch<T> const launch{args, b.window, b.slab};
  launch_in_parts<BlockView<T>>(
      b.blocks(), [&](int i) { return b.block(i); },
      [&](auto const& sources) { launch_p2g<D>(launch, sources, stream); });
}

template void P2G<double, false>::gpu(Buffers const&, P2GArgs const&, void*);
template void P2G<float, false>::gpu(Buffers const&, P2GArgs const&, void*);
template void P2G<double, true>::gpu(Buffers const&, P2GArgs const&, void*);
template void P2G<float, true>::gpu(Buffers const&, P2GArgs const&, void*);

}  // namespace nearfar

#endif
