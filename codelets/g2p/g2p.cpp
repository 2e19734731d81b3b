// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/g2p/g2p.hpp"

#include "codelets/g2p/g2p_buffers.hpp"
#include "codelets/g2p/g2p_simd.hpp"
#include "codelets/names.hpp"
#include "codelets/portable.hpp"
#include "codelets/simd.hpp"
#include "core/kernel_layers.hpp"

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
  int const length = g.row_length();
  portable_for(args.share.count(), [&](int j) {
    auto const x = footprint(g, 0, b.position[j]);
    auto const y = footprint(g, 1, b.position[b.stride + j]);
    auto const z = footprint(g, 2, b.position[2 * b.stride + j]);
    T u[results] = {};
    for (int ix = 0; ix < g.window; ++ix) {
      auto const slab = b.plane(args, x.first + ix);
      T const wx = window_at(w.value, w.degree, ix, x.s);
      for (int iy = 0; iy < g.window; ++iy) {
        T const wy = window_at(w.value, w.degree, iy, y.s);
        for (int iz = 0; iz < g.window; ++iz) {
          T const wz = window_at(w.value, w.degree, iz, z.s);
          auto grid = [&](int m) {
            return slab.data[(std::int64_t(m) * slab.planes + slab.plane) * g.plane_size() +
                             std::int64_t(y.first + iy) * length + z.first + iz];
          };
          for (int m = 0; m < components; ++m) u[m] += wx * wy * wz * grid(m);
          if constexpr (G) {
            // The slope is with respect to the grid point; the target moves the other way.
            u[1] -= T(g.scale(0)) * window_at(w.slope, w.degree, ix, x.s) * wy * wz * grid(0);
            u[2] -= T(g.scale(1)) * wx * window_at(w.slope, w.degree, iy, y.s) * wz * grid(0);
            u[3] -= T(g.scale(2)) * wx * wy * window_at(w.slope, w.degree, iz, z.s) * grid(0);
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

#define NEARFAR_INSTANTIATE(T)                      \
  template struct G2P<T, Kernel::stokeslet, false>; \
  template struct G2P<T, Kernel::laplace, false>;   \
  template struct G2P<T, Kernel::laplace, true>;
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
