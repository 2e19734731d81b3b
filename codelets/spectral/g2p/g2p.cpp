// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/g2p/g2p.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"
#include "codelets/common/simd.hpp"
#include "codelets/spectral/g2p/g2p_buffers.hpp"
#include "codelets/spectral/g2p/g2p_simd.hpp"
#include "core/kernels/instantiate.hpp"
#include "core/kernels/kernel_layers.hpp"

namespace nearfar {

template <class T, Kernel K, bool G>
char const* G2P<T, K, G>::symbol() {
  static std::string const s = model_symbol<T>("g2p", K, G);
  return s.c_str();
}

template <class T, Kernel K, bool G>
void G2P<T, K, G>::portable(Buffers const& buffers, Args const& args) {
  constexpr int components = inverse_components(K), results = NearPair<K, G>::results;
  G2PBuffers<T> const b(buffers, args, results);
  Grid const& g = args.grid;
  WindowTable<T> const& w = *b.window;
  int const length = g.layout.row_length;
  portable_for(args.chunk.count(), [&](int j) {
    auto const x = footprint(g, 0, b.position[j]);
    auto const y = footprint(g, 1, b.position[b.stride + j]);
    auto const z = footprint(g, 2, b.position[2 * b.stride + j]);
    T wx[max_window_points], wy[max_window_points], wz[max_window_points];
    window_values(w, x.s, wx);
    window_values(w, y.s, wy);
    window_values(w, z.s, wz);
    T sx[max_window_points], sy[max_window_points], sz[max_window_points];
    if constexpr (G) {
      window_slopes(w, x.s, sx);
      window_slopes(w, y.s, sy);
      window_slopes(w, z.s, sz);
    }
    T u[results] = {};
    for (int ix = 0; ix < g.window; ++ix) {
      auto const slab = b.plane(args, x.first + ix);
      for (int iy = 0; iy < g.window; ++iy) {
        for (int iz = 0; iz < g.window; ++iz) {
          auto grid = [&](int m) {
            return slab.data[(std::int64_t(m) * slab.planes + slab.plane) * g.layout.plane_size() +
                             std::int64_t(y.first + iy) * length + z.first + iz];
          };
          for (int m = 0; m < components; ++m) u[m] += wx[ix] * wy[iy] * wz[iz] * grid(m);
          if constexpr (G) {
            // The slope is with respect to the grid point; the target moves the other way.
            u[1] -= T(g.layout.scale(0)) * sx[ix] * wy[iy] * wz[iz] * grid(0);
            u[2] -= T(g.layout.scale(1)) * wx[ix] * sy[iy] * wz[iz] * grid(0);
            u[3] -= T(g.layout.scale(2)) * wx[ix] * wy[iy] * sz[iz] * grid(0);
          }
        }
      }
    }
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
