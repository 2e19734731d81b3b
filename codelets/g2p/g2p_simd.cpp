// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/g2p/g2p_simd.hpp"

#include "codelets/window_simd.hpp"
#include "core/kernel_layers.hpp"

namespace nearfar {

namespace {

template <class Tag, int Vectors, Kernel K, bool Gradient, class T>
void gather_points(G2PBuffers<T> const& b, G2PArgs const& args) {
  using V = Batch<T, Tag>;
  constexpr int lanes = int(V::size), components = inverse_components(K);
  // Sums over x and y, one vector per place along z: wx wy, and for the gradient wx' wy and wx wy'.
  constexpr int sums = Gradient ? 3 : components;
  Grid const& g = args.grid;
  WindowTable<T> const& w = *b.window;
  int const length = g.row_length();
  std::int64_t const plane_size = g.plane_size();
  for (int j = 0; j < args.share.count(); ++j) {
    auto const x = footprint(g, 0, b.position[j]);
    auto const y = footprint(g, 1, b.position[b.stride + j]);
    auto const z = footprint(g, 2, b.position[2 * b.stride + j]);
    alignas(64) T wx[window_row], wy[window_row], sx[window_row], sy[window_row];
    auto evaluate = [&](T const(*rows)[window_row], T s, T* out) {
      V v[Vectors];
      window_vectors<Vectors>(rows, w.degree, s, v);
      for (int i = 0; i < Vectors; ++i) v[i].store_aligned(out + i * lanes);
    };
    evaluate(w.value, x.s, wx);
    evaluate(w.value, y.s, wy);
    if constexpr (Gradient) {
      evaluate(w.slope, x.s, sx);
      evaluate(w.slope, y.s, sy);
    }
    V sum[sums][Vectors];
    for (auto& s : sum)
      for (V& v : s) v = V(T(0));
    for (int ix = 0; ix < g.window; ++ix) {
      auto const slab = b.plane(args, x.first + ix);
      T const* const corner = slab.data + slab.plane * plane_size + std::int64_t(y.first) * length + z.first;
      if constexpr (Gradient) {
        T const* row = corner;
        V const vwx(wx[ix]), vsx(sx[ix]);
        for (int iy = 0; iy < g.window; ++iy, row += length) {
          V const ww = vwx * V(wy[iy]), sw = vsx * V(wy[iy]), ws = vwx * V(sy[iy]);
          for (int v = 0; v < Vectors; ++v) {
            V const value = V::load_unaligned(row + v * lanes);
            sum[0][v] = xsimd::fma(ww, value, sum[0][v]);
            sum[1][v] = xsimd::fma(sw, value, sum[1][v]);
            sum[2][v] = xsimd::fma(ws, value, sum[2][v]);
          }
        }
      } else {
        for (int m = 0; m < components; ++m) {
          T const* row = corner + m * plane_size * slab.planes;
          for (int iy = 0; iy < g.window; ++iy, row += length) {
            V const weight(wx[ix] * wy[iy]);
            for (int v = 0; v < Vectors; ++v)
              sum[m][v] = xsimd::fma(weight, V::load_unaligned(row + v * lanes), sum[m][v]);
          }
        }
      }
    }
    V vz[Vectors];
    window_vectors<Vectors>(w.value, w.degree, z.s, vz);
    auto along_z = [&](V const* values, V const* weights) {
      V total(T(0));
      for (int v = 0; v < Vectors; ++v) total = xsimd::fma(values[v], weights[v], total);
      return xsimd::hadd(total);
    };
    if constexpr (Gradient) {
      // The slope is with respect to the grid point; the target moves the other way.
      V vs[Vectors];
      window_vectors<Vectors>(w.slope, w.degree, z.s, vs);
      b.result[j] = along_z(sum[0], vz);
      b.result[b.result_stride + j] = -T(g.scale(0)) * along_z(sum[1], vz);
      b.result[2 * b.result_stride + j] = -T(g.scale(1)) * along_z(sum[2], vz);
      b.result[3 * b.result_stride + j] = -T(g.scale(2)) * along_z(sum[0], vs);
    } else {
      for (int m = 0; m < components; ++m) b.result[m * b.result_stride + j] = along_z(sum[m], vz);
    }
  }
}

}  // namespace

template <class Tag, class T, Kernel K, bool Gradient>
void g2p_simd(G2PBuffers<T> const& b, G2PArgs const& args) {
  with_vectors<Batch<T, Tag>>(args.grid.window,
                              [&]<int Vectors>() { gather_points<Tag, Vectors, K, Gradient>(b, args); });
}

#define NEARFAR_INSTANTIATE(T)                                                                                 \
  template void g2p_simd<NEARFAR_SIMD_TAG, T, Kernel::stokeslet, false>(G2PBuffers<T> const&, G2PArgs const&); \
  template void g2p_simd<NEARFAR_SIMD_TAG, T, Kernel::laplace, false>(G2PBuffers<T> const&, G2PArgs const&);   \
  template void g2p_simd<NEARFAR_SIMD_TAG, T, Kernel::laplace, true>(G2PBuffers<T> const&, G2PArgs const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
