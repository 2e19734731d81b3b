// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/g2p/g2p_gpu.hpp"

#include "codelets/spectral/g2p/g2p.hpp"
#include "codelets/spectral/g2p/g2p_buffers.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

namespace {

template <class T>
using Launch = void (*)(G2PLaunch<T> const&, LaunchList<T const*> const&, void*);

template <class Gather, class T>
void launch_all(Launch<T> launch, Buffers const& buffers, G2PArgs const& args, void* stream) {
  if (args.chunk.count() == 0) return;
  G2PBuffers<T> const b(buffers, args, Gather::results);
  G2PLaunch<T> const pointers{args,
                              b.window,
                              b.position,
                              b.stride,
                              b.offset,
                              b.result,
                              b.result_stride,
                              {args.grid.layout.scale(0), args.grid.layout.scale(1), args.grid.layout.scale(2)}};
  launch_in_parts<T const*>(
      args.slabs.count, [&](int i) { return b.slab_data(i); },
      [&](auto const& slabs) { launch(pointers, slabs, stream); });
  if (Gather::slopes && args.grid.layout.skewed) launch_turn_gathered<Gather>(pointers, stream);
}

}  // namespace

template <class T, class Gather>
void G2P<T, Gather>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  launch_all<Gather, T>(launch_g2p<Gather, T>, buffers, args, stream);
}
template <class T, class Gather>
void G2P<T, Gather>::portable_gpu(Buffers const& buffers, Args const& args, void* stream) {
  launch_all<Gather, T>(launch_g2p_by_targets<Gather, T>, buffers, args, stream);
}
template <class T, class Gather>
std::span<GpuVariant<G2PArgs> const> G2P<T, Gather>::further_gpu_variants() {
  static constexpr GpuVariant<Args> by_targets{target_ordered, portable_gpu};
  return {&by_targets, 1};
}

#define NEARFAR_INSTANTIATE(T, Gather)                                               \
  template void G2P<T, Gather>::gpu(Buffers const&, G2PArgs const&, void*);          \
  template void G2P<T, Gather>::portable_gpu(Buffers const&, G2PArgs const&, void*); \
  template std::span<GpuVariant<G2PArgs> const> G2P<T, Gather>::further_gpu_variants();
NEARFAR_EACH_GATHER(NEARFAR_INSTANTIATE)

}  // namespace nearfar
