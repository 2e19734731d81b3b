// SPDX-License-Identifier: BSD-3-Clause
// Further bodies of P2G for GPUs.
#include "codelets/laboratory/stages/p2g_ways.hpp"

#include "codelets/spectral/p2g/p2g.hpp"
#include "codelets/spectral/p2g/p2g_buffers.hpp"

#include <array>

namespace nearfar {

namespace {

template <class T, void (*launch)(P2GLaunch<T> const&, LaunchList<BlockView<T>> const&, void*)>
void launch_all(Buffers const& buffers, P2GArgs const& args, void* stream) {
  P2GBuffers<T> const b(buffers, args);
  launch_in_parts<BlockView<T>>(
      b.blocks(), [&](int i) { return b.block(i); },
      [&](auto const& sources) {
        launch({args, b.window, b.slab}, sources, stream);
      });
}

}  // namespace

template <class T, Spreading S>
void P2G<T, S>::portable_gpu(Buffers const& buffers, Args const& args, void* stream) {
  launch_all<T, launch_p2g_by_nodes<S, T>>(buffers, args, stream);
}

template <class T, Spreading S>
std::span<GpuVariant<P2GArgs> const> P2G<T, S>::further_gpu_variants() {
  using Variant = GpuVariant<Args>;
  static constexpr std::array all{Variant{source_ordered, launch_all<T, launch_p2g_by_sources<S, T>>},
                                  Variant{grid_ordered, launch_all<T, launch_p2g_by_nodes<S, T>>},
                                  Variant{hybrid, launch_all<T, launch_p2g_by_cells<S, T>>}};
  return all;
}

#define NEARFAR_INSTANTIATE(T, S)                                               \
  template void P2G<T, S>::portable_gpu(Buffers const&, P2GArgs const&, void*); \
  template std::span<GpuVariant<P2GArgs> const> P2G<T, S>::further_gpu_variants();
NEARFAR_EACH_SPREADING(NEARFAR_INSTANTIATE)

}  // namespace nearfar
