// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/p2g/p2g_gpu.hpp"

#include "codelets/spectral/p2g/p2g.hpp"
#include "codelets/spectral/p2g/p2g_buffers.hpp"

namespace nearfar {

namespace {

template <class T>
using Launch = void (*)(P2GLaunch<T> const&, LaunchList<BlockView<T>> const&, void*);

template <class T>
void launch_all(Launch<T> launch, Buffers const& buffers, P2GArgs const& args, void* stream) {
  P2GBuffers<T> const b(buffers, args);
  P2GLaunch<T> const pointers{args, b.window, b.slab};
  launch_in_parts<BlockView<T>>(
      b.blocks(), [&](int i) { return b.block(i); }, [&](auto const& sources) { launch(pointers, sources, stream); });
}

}  // namespace

template <class T, Spreading S>
void P2G<T, S>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  launch_all<T>(launch_p2g<S, T>, buffers, args, stream);
}
template <class T, Spreading S>
void P2G<T, S>::gpu_by_sources(Buffers const& buffers, Args const& args, void* stream) {
  launch_all<T>(launch_p2g_by_sources<S, T>, buffers, args, stream);
}
template <class T, Spreading S>
void P2G<T, S>::gpu_by_nodes(Buffers const& buffers, Args const& args, void* stream) {
  launch_all<T>(launch_p2g_by_nodes<S, T>, buffers, args, stream);
}
template <class T, Spreading S>
void P2G<T, S>::gpu_by_cells(Buffers const& buffers, Args const& args, void* stream) {
  launch_all<T>(launch_p2g_by_cells<S, T>, buffers, args, stream);
}

#define NEARFAR_INSTANTIATE(T, S)                                                 \
  template void P2G<T, S>::gpu(Buffers const&, P2GArgs const&, void*);            \
  template void P2G<T, S>::gpu_by_sources(Buffers const&, P2GArgs const&, void*); \
  template void P2G<T, S>::gpu_by_nodes(Buffers const&, P2GArgs const&, void*);   \
  template void P2G<T, S>::gpu_by_cells(Buffers const&, P2GArgs const&, void*);
NEARFAR_EACH_SPREADING(NEARFAR_INSTANTIATE)

}  // namespace nearfar
