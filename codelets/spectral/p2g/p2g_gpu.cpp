// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/p2g/p2g_gpu.hpp"

#include "codelets/spectral/p2g/p2g.hpp"
#include "codelets/spectral/p2g/p2g_buffers.hpp"

namespace nearfar {

template <class T, Spreading S>
void P2G<T, S>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  P2GBuffers<T> const b(buffers, args);
  P2GLaunch<T> const launch{args, b.window, b.slab};
  launch_in_parts<BlockView<T>>(
      b.blocks(), [&](int i) { return b.block(i); },
      [&](auto const& sources) { launch_p2g<S>(launch, sources, stream); });
}

#define NEARFAR_INSTANTIATE(T, S) template void P2G<T, S>::gpu(Buffers const&, P2GArgs const&, void*);
NEARFAR_EACH_SPREADING(NEARFAR_INSTANTIATE)

}  // namespace nearfar
