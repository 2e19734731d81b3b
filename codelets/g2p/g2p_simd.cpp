// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/g2p/g2p_simd.hpp"

#include "codelets/window_simd.hpp"
#include "core/kernel_layers.hpp"

namespace nearfar {

namespace {

/// Targets whose windows are worked out together. Then one component after the other is gathered: what a few targets
/// touch of one stays in the fastest cache, of all it would not.
constexpr int together = 16;

/// The window of one target, point by point of the grid, and where it lies.
template <int Vectors, bool Gradient, class V, class T>
struct Target {
  static constexpr int size = Vectors * int(V::size);
  alignas(64) T x[size], y[size], z[size], slope_x[Gradient ? size : 1], slope_y[Gradient ? size : 1],
      slope_z[Gradient ? size : 1];
  std::int64_t corner;
  int first;
  SlabView<T> slab;  ///< where the first plane is

  [[gnu::always_inline]] inline void set(G2PBuffers<T> const& b, G2PArgs const& args, T const* position) {
    Grid const& g = args.grid;
    WindowTable<T> const& w = *b.window;
    std::int64_t const stride = b.stride;
    auto const at_x = footprint(g, 0, position[0]);
    auto const at_y = footprint(g, 1, position[stride]);
    auto const at_z = footprint(g, 2, position[2 * stride]);
    values(w, at_x.s, x);
    values(w, at_y.s, y);
    values(w, at_z.s, z);
    if constexpr (Gradient) {
      slopes(w, at_x.s, slope_x);
      slopes(w, at_y.s, slope_y);
      slopes(w, at_z.s, slope_z);
    }
    first = at_x.first;
    slab = b.plane(args, first);
    corner = std::int64_t(at_y.first) * g.row_length() + at_z.first;
  }

 private:
  [[gnu::always_inline]] static inline void values(WindowTable<T> const& w, T s, T* out) {
    V vector[Vectors];
    value_vectors<Vectors>(w, s, vector);
    for (int v = 0; v < Vectors; ++v) vector[v].store_aligned(out + v * int(V::size));
  }
  [[gnu::always_inline]] static inline void slopes(WindowTable<T> const& w, T s, T* out) {
    V vector[Vectors];
    slope_vectors<Vectors>(w, s, vector);
    for (int v = 0; v < Vectors; ++v) vector[v].store_aligned(out + v * int(V::size));
  }
};

template <class V, int Vectors, class T>
[[gnu::always_inline]] inline T along_z(V const* values, T const* weights) {
  V total(T(0));
  for (int v = 0; v < Vectors; ++v) total = xsimd::fma(values[v], V::load_aligned(weights + v * int(V::size)), total);
  return xsimd::hadd(total);
}

/// Sums a component over x and y, plane by plane, so that the sums of several planes can be under way.
template <int Vectors, class V, class T>
[[gnu::always_inline]] inline void gather(G2PBuffers<T> const& b, G2PArgs const& args, int m,
                                          Target<Vectors, false, V, T> const& at, T* result) {
  Grid const& g = args.grid;
  int const length = g.row_length();
  V sum[Vectors];
  for (V& v : sum) v = V(T(0));
  auto slab = at.slab;
  for (int ix = 0; ix < g.window; ++ix, ++slab.plane) {
    if (slab.plane == slab.planes) slab = b.plane(args, at.first + ix);
    T const* row = slab.data + (m * std::int64_t(slab.planes) + slab.plane) * g.plane_size() + at.corner;
    V plane[Vectors];
    for (V& v : plane) v = V(T(0));
    for (int iy = 0; iy < g.window; ++iy, row += length)
      for (int v = 0; v < Vectors; ++v)
        plane[v] = xsimd::fma(V(at.y[iy]), V::load_unaligned(row + v * int(V::size)), plane[v]);
    for (int v = 0; v < Vectors; ++v) sum[v] = xsimd::fma(V(at.x[ix]), plane[v], sum[v]);
  }
  *result = along_z<V, Vectors>(sum, at.z);
}

/// The same, and the gradient by the slopes of the window, which are with respect to the grid point: the target moves
/// the other way.
template <int Vectors, class V, class T>
[[gnu::always_inline]] inline void gather(G2PBuffers<T> const& b, G2PArgs const& args, int,
                                          Target<Vectors, true, V, T> const& at, T* result) {
  Grid const& g = args.grid;
  int const length = g.row_length();
  V sum[3][Vectors];  // wx wy, wx' wy, wx wy'
  for (auto& s : sum)
    for (V& v : s) v = V(T(0));
  auto slab = at.slab;
  for (int ix = 0; ix < g.window; ++ix, ++slab.plane) {
    if (slab.plane == slab.planes) slab = b.plane(args, at.first + ix);
    T const* row = slab.data + slab.plane * g.plane_size() + at.corner;
    V values[Vectors], slopes[Vectors];
    for (V& v : values) v = V(T(0));
    for (V& v : slopes) v = V(T(0));
    for (int iy = 0; iy < g.window; ++iy, row += length)
      for (int v = 0; v < Vectors; ++v) {
        V const value = V::load_unaligned(row + v * int(V::size));
        values[v] = xsimd::fma(V(at.y[iy]), value, values[v]);
        slopes[v] = xsimd::fma(V(at.slope_y[iy]), value, slopes[v]);
      }
    for (int v = 0; v < Vectors; ++v) {
      sum[0][v] = xsimd::fma(V(at.x[ix]), values[v], sum[0][v]);
      sum[1][v] = xsimd::fma(V(at.slope_x[ix]), values[v], sum[1][v]);
      sum[2][v] = xsimd::fma(V(at.x[ix]), slopes[v], sum[2][v]);
    }
  }
  result[0] = along_z<V, Vectors>(sum[0], at.z);
  result[b.result_stride] = -T(g.scale(0)) * along_z<V, Vectors>(sum[1], at.z);
  result[2 * b.result_stride] = -T(g.scale(1)) * along_z<V, Vectors>(sum[2], at.z);
  result[3 * b.result_stride] = -T(g.scale(2)) * along_z<V, Vectors>(sum[0], at.slope_z);
}

template <class Tag, int Vectors, Kernel K, bool Gradient, class T>
void gather_points(G2PBuffers<T> const& b, G2PArgs const& args) {
  Target<Vectors, Gradient, Batch<T, Tag>, T> targets[together];
  for (int first = 0; first < args.share.count(); first += together) {
    int const count = args.share.count() - first < together ? args.share.count() - first : together;
    for (int i = 0; i < count; ++i) targets[i].set(b, args, b.position + first + i);
    for (int m = 0; m < inverse_components(K); ++m)
      for (int i = 0; i < count; ++i) gather(b, args, m, targets[i], b.result + m * b.result_stride + first + i);
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
