// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/g2p/g2p.hpp"

#include "codelets/common/portable.hpp"
#include "codelets/common/simd/simd.hpp"
#include "codelets/spectral/g2p/g2p_buffers.hpp"
#include "codelets/spectral/g2p/g2p_simd.hpp"
#include "codelets/spectral/g2p/g2p_target.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

template <class T, class Gather>
void G2P<T, Gather>::portable(Buffers const& buffers, Args const& args) {
  constexpr int results = Gather::results;
  G2PBuffers<T> const b(buffers, args, results);
  portable_for(args.chunk.count(), [&](int j) {
    T u[results] = {};
    gather_target<Gather>(
        *b.window, args.grid, b.position + j, b.stride, [&](int plane) { return b.plane(args, plane); }, u);
    if (args.grid.layout.skewed) turn_gathered<Gather>(args.grid.layout, u, 1);
    for (int m = 0; m < results; ++m) b.result[m * b.result_stride + j] = u[m];
  });
}

template <class T, class Gather>
void G2P<T, Gather>::tuned(Buffers const& buffers, Args const& args) {
  G2PBuffers<T> const b(buffers, args, Gather::results);
  simd_dispatch([&](auto tag) { g2p_simd<decltype(tag), T, Gather>(b, args); });
  if (args.grid.layout.skewed)
    for (int j = 0; j < args.chunk.count(); ++j) turn_gathered<Gather>(args.grid.layout, b.result + j, b.result_stride);
}

#define NEARFAR_INSTANTIATE(T, Gather) template struct G2P<T, Gather>;
NEARFAR_EACH_GATHER(NEARFAR_INSTANTIATE)

}  // namespace nearfar
