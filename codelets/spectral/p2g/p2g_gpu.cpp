// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/p2g/p2g_gpu.hpp"

#include "codelets/spectral/p2g/p2g.hpp"
#include "codelets/spectral/p2g/p2g_buffers.hpp"

#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)

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

template <class T, bool D>
void P2G<T, D>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  launch_all<T>(launch_p2g<D, T>, buffers, args, stream);
}
template <class T, bool D>
void P2G<T, D>::gpu_by_sources(Buffers const& buffers, Args const& args, void* stream) {
  launch_all<T>(launch_p2g_by_sources<D, T>, buffers, args, stream);
}
template <class T, bool D>
void P2G<T, D>::gpu_by_nodes(Buffers const& buffers, Args const& args, void* stream) {
  launch_all<T>(launch_p2g_by_nodes<D, T>, buffers, args, stream);
}
template <class T, bool D>
void P2G<T, D>::gpu_by_cells(Buffers const& buffers, Args const& args, void* stream) {
  launch_all<T>(launch_p2g_by_cells<D, T>, buffers, args, stream);
}

#define NEARFAR_INSTANTIATE(T, D)                                                 \
  template void P2G<T, D>::gpu(Buffers const&, P2GArgs const&, void*);            \
  template void P2G<T, D>::gpu_by_sources(Buffers const&, P2GArgs const&, void*); \
  template void P2G<T, D>::gpu_by_nodes(Buffers const&, P2GArgs const&, void*);   \
  template void P2G<T, D>::gpu_by_cells(Buffers const&, P2GArgs const&, void*);
NEARFAR_INSTANTIATE(double, false)
NEARFAR_INSTANTIATE(float, false)
NEARFAR_INSTANTIATE(double, true)
NEARFAR_INSTANTIATE(float, true)

}  // namespace nearfar

#endif
