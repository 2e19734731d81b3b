// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/g2p/g2p.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"
#include "codelets/common/simd.hpp"
#include "codelets/spectral/g2p/g2p_buffers.hpp"
#include "codelets/spectral/g2p/g2p_simd.hpp"
#include "codelets/spectral/g2p/g2p_target.hpp"
#include "core/kernels/instantiate.hpp"

namespace nearfar {

template <class T, Kernel K, bool G>
char const* G2P<T, K, G>::symbol() {
  static std::string const s = model_symbol<T>("g2p", K, G);
  return s.c_str();
}

template <class T, Kernel K, bool G>
void G2P<T, K, G>::portable(Buffers const& buffers, Args const& args) {
  constexpr int results = NearPair<K, G>::results;
  G2PBuffers<T> const b(buffers, args, results);
  portable_for(args.chunk.count(), [&](int j) {
    T u[results] = {};
    gather_target<K, G>(
        *b.window, args.grid, b.position + j, b.stride, [&](int plane) { return b.plane(args, plane); }, u);
    for (int m = 0; m < results; ++m) b.result[m * b.result_stride + j] = u[m];
  });
}

template <class T, Kernel K, bool G>
void G2P<T, K, G>::tuned(Buffers const& buffers, Args const& args) {
  G2PBuffers<T> const b(buffers, args, NearPair<K, G>::results);
  simd_dispatch([&](auto tag) { g2p_simd<decltype(tag), T, K, G>(b, args); });
}

#define NEARFAR_INSTANTIATE(T, K, G) template struct G2P<T, K, G>;
NEARFAR_EACH_GATHERED(NEARFAR_INSTANTIATE)

}  // namespace nearfar
