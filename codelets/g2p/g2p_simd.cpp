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
template <int Numbers, bool Gradient, class V, class T>
struct Target {
  static constexpr int vectors = Row<V, Numbers>::vectors, size = vectors * int(V::size);
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
    V vector[vectors];
    value_vectors<vectors>(w, s, vector);
    for (int v = 0; v < vectors; ++v) vector[v].store_aligned(out + v * int(V::size));
  }
  [[gnu::always_inline]] static inline void slopes(WindowTable<T> const& w, T s, T* out) {
    V vector[vectors];
    slope_vectors<vectors>(w, s, vector);
    for (int v = 0; v < vectors; ++v) vector[v].store_aligned(out + v * int(V::size));
  }
};

/// Sums a component over x and y, plane by plane, so that the sums of several planes can be under way.
template <int Numbers, class V, class T>
[[gnu::always_inline]] inline void gather(G2PBuffers<T> const& b, G2PArgs const& args, int m,
                                          Target<Numbers, false, V, T> const& at, T* result) {
  Grid const& g = args.grid;
  int const length = g.row_length();
  using OfWindow = Row<V, Numbers>;
  OfWindow sum = OfWindow::zero();
  auto slab = at.slab;
  for (int ix = 0; ix < g.window; ++ix, ++slab.plane) {
    if (slab.plane == slab.planes) slab = b.plane(args, at.first + ix);
    T const* row = slab.data + (m * std::int64_t(slab.planes) + slab.plane) * g.plane_size() + at.corner;
    OfWindow plane = OfWindow::zero();
    for (int iy = 0; iy < g.window; ++iy, row += length) plane.add(at.y[iy], OfWindow::load(row));
    sum.add(at.x[ix], plane);
  }
  *result = sum.dot(at.z);
}

/// The same, and the gradient by the slopes of the window, which are with respect to the grid point: the target moves
/// the other way.
template <int Numbers, class V, class T>
[[gnu::always_inline]] inline void gather(G2PBuffers<T> const& b, G2PArgs const& args, int,
                                          Target<Numbers, true, V, T> const& at, T* result) {
  Grid const& g = args.grid;
  int const length = g.row_length();
  using OfWindow = Row<V, Numbers>;
  OfWindow sum[3] = {OfWindow::zero(), OfWindow::zero(), OfWindow::zero()};  // wx wy, wx' wy, wx wy'
  auto slab = at.slab;
  for (int ix = 0; ix < g.window; ++ix, ++slab.plane) {
    if (slab.plane == slab.planes) slab = b.plane(args, at.first + ix);
    T const* row = slab.data + slab.plane * g.plane_size() + at.corner;
    OfWindow values = OfWindow::zero(), slopes = OfWindow::zero();
    for (int iy = 0; iy < g.window; ++iy, row += length) {
      OfWindow const here = OfWindow::load(row);
      values.add(at.y[iy], here);
      slopes.add(at.slope_y[iy], here);
    }
    sum[0].add(at.x[ix], values);
    sum[1].add(at.slope_x[ix], values);
    sum[2].add(at.x[ix], slopes);
  }
  result[0] = sum[0].dot(at.z);
  result[b.result_stride] = -T(g.scale(0)) * sum[1].dot(at.z);
  result[2 * b.result_stride] = -T(g.scale(1)) * sum[2].dot(at.z);
  result[3 * b.result_stride] = -T(g.scale(2)) * sum[0].dot(at.slope_z);
}

template <class V, int Numbers, Kernel K, bool Gradient, class T>
void gather_points(G2PBuffers<T> const& b, G2PArgs const& args) {
  Target<Numbers, Gradient, V, T> targets[together];
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
  using V = Batch<T, Tag>;
  with_row<V>(args.grid.window, [&]<int Numbers>() { gather_points<V, Numbers, K, Gradient>(b, args); });
}

#define NEARFAR_INSTANTIATE(T)                                                                                 \
  template void g2p_simd<NEARFAR_SIMD_TAG, T, Kernel::stokeslet, false>(G2PBuffers<T> const&, G2PArgs const&); \
  template void g2p_simd<NEARFAR_SIMD_TAG, T, Kernel::laplace, false>(G2PBuffers<T> const&, G2PArgs const&);   \
  template void g2p_simd<NEARFAR_SIMD_TAG, T, Kernel::laplace, true>(G2PBuffers<T> const&, G2PArgs const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
