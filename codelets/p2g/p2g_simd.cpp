// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/p2g/p2g_simd.hpp"

#include "codelets/window_simd.hpp"

namespace nearfar {

namespace {

/// A window of Vectors SIMD batches in one direction: as batches (along z), or one by one.
template <int Vectors, class V, class T>
struct Line {
  V vector[Vectors];
  alignas(64) T value[window_row];

  [[gnu::always_inline]] inline void set_values(WindowTable<T> const& w, T s) {
    value_vectors<Vectors>(w, s, vector);
    store();
  }
  [[gnu::always_inline]] inline void set_slopes(WindowTable<T> const& w, T s) {
    slope_vectors<Vectors>(w, s, vector);
    store();
  }

 private:
  [[gnu::always_inline]] inline void store() {
    for (int v = 0; v < Vectors; ++v) vector[v].store_aligned(value + v * int(V::size));
  }
};

/// Adds fx times a window along y and z to one plane.
template <int Vectors, class V, class T>
[[gnu::always_inline]] inline void add_window(T fx, Line<Vectors, V, T> const& y, Line<Vectors, V, T> const& z, T* row,
                                              int length, int window) {
  constexpr int lanes = int(V::size);
  for (int iy = 0; iy < window; ++iy, row += length) {
    V const weight(fx * y.value[iy]);
    for (int v = 0; v < Vectors; ++v)
      xsimd::fma(weight, z.vector[v], V::load_unaligned(row + v * lanes)).store_unaligned(row + v * lanes);
  }
}

/// Spreads plain strengths: one product of windows for all components.
template <int Vectors, int Components, class V, class T>
struct SpreadPlain {
  static constexpr int components = Components;
  Line<Vectors, V, T> x, y, z;
  T const* strength;
  std::int64_t stride;

  template <class Footprints>
  [[gnu::always_inline]] inline void set(P2GArgs const&, WindowTable<T> const& w, Footprints const& at,
                                         BlockView<T> const& block, int j) {
    x.set_values(w, at[0].s);
    y.set_values(w, at[1].s);
    value_vectors<Vectors>(w, at[2].s, z.vector);
    strength = block.strength + j;
    stride = block.stride;
  }

  [[gnu::always_inline]] inline void add_plane(int ix, int m, T* row, int length, int window) const {
    add_window(x.value[ix] * strength[m * stride], y, z, row, length, window);
  }
};

/// Spreads Stokes' double layer: two weights per row, of the window along z and of its slope.
template <int Vectors, class V, class T>
struct SpreadDoubleLayer {
  static constexpr int components = 4;
  Line<Vectors, V, T> x, y, z, slope_x, slope_y, slope_z;
  DoubleLayer<T> layer;

  template <class Footprints>
  [[gnu::always_inline]] inline void set(P2GArgs const& args, WindowTable<T> const& w, Footprints const& at,
                                         BlockView<T> const& block, int j) {
    x.set_values(w, at[0].s);
    y.set_values(w, at[1].s);
    slope_x.set_slopes(w, at[0].s);
    slope_y.set_slopes(w, at[1].s);
    value_vectors<Vectors>(w, at[2].s, z.vector);
    slope_vectors<Vectors>(w, at[2].s, slope_z.vector);
    layer.set(args.grid, block.strength + j, block.stride, args.forces);
  }

  [[gnu::always_inline]] inline void add_plane(int ix, int m, T* row, int length, int window) const {
    constexpr int lanes = int(V::size);
    if (m == 3) return add_window(x.value[ix] * layer.value[3], y, z, row, length, window);
    T const* const d = layer.slope[m];
    T const plain = x.value[ix] * layer.value[m] + slope_x.value[ix] * d[0], along_y = x.value[ix] * d[1],
            along_z = x.value[ix] * d[2];
    for (int iy = 0; iy < window; ++iy, row += length) {
      V const weight(plain * y.value[iy] + along_y * slope_y.value[iy]), slope(along_z * y.value[iy]);
      for (int v = 0; v < Vectors; ++v) {
        V const sum = xsimd::fma(weight, z.vector[v], V::load_unaligned(row + v * lanes));
        xsimd::fma(slope, slope_z.vector[v], sum).store_unaligned(row + v * lanes);
      }
    }
  }
};

template <class Spread, class T>
void spread_block(P2GBuffers<T> const& b, P2GArgs const& args, BlockView<T> const& block, int points) {
  Grid const& g = args.grid;
  int const begin = g.first_plane(args.slab), planes = g.planes(args.slab), length = g.row_length();
  std::int64_t const plane_size = g.plane_size(), component = plane_size * planes;
  for (int j = 0; j < points; ++j) {
    Footprint<T> at[3];
    at[0] = footprint(g, 0, block.position[j]);
    // Planes of the window that lie in this slab: those before the wrap, or those after it.
    int const behind = wrap(at[0].first - begin, g.size[0]);
    if (behind >= planes && behind + g.window <= g.size[0]) continue;
    at[1] = footprint(g, 1, block.position[block.stride + j]);
    at[2] = footprint(g, 2, block.position[2 * block.stride + j]);
    Spread spread;
    spread.set(args, *b.window, at, block, j);
    T* const corner = b.slab + std::int64_t(at[1].first) * length + at[2].first;
    for (int ix = 0; ix < g.window; ++ix) {
      int const plane = behind + ix < g.size[0] ? behind + ix : behind + ix - g.size[0];
      if (plane >= planes) continue;
      for (int m = 0; m < Spread::components; ++m)
        spread.add_plane(ix, m, corner + m * component + plane * plane_size, length, g.window);
    }
  }
}

}  // namespace

template <class Tag, bool WithDoubleLayer, class T>
void p2g_simd(P2GBuffers<T> const& b, P2GArgs const& args) {
  using V = Batch<T, Tag>;
  Grid const& g = args.grid;
  std::int64_t const planes = g.planes(args.slab) * std::int64_t(args.components);
  for (std::int64_t i = 0; i < planes * g.plane_size(); ++i) b.slab[i] = 0;
  for (int i = 0; i < b.blocks(); ++i) {
    int points = 0;
    BlockView<T> const block = b.block(i, points);
    with_vectors<V>(g.window, [&]<int Vectors>() {
      if constexpr (WithDoubleLayer) return spread_block<SpreadDoubleLayer<Vectors, V, T>>(b, args, block, points);
      else if (args.components == 1) return spread_block<SpreadPlain<Vectors, 1, V, T>>(b, args, block, points);
      else return spread_block<SpreadPlain<Vectors, 3, V, T>>(b, args, block, points);
    });
  }
  for (std::int64_t p = 0; p < planes; ++p) fold_halo(g, b.slab + p * g.plane_size());
}

template void p2g_simd<NEARFAR_SIMD_TAG, false>(P2GBuffers<double> const&, P2GArgs const&);
template void p2g_simd<NEARFAR_SIMD_TAG, false>(P2GBuffers<float> const&, P2GArgs const&);
template void p2g_simd<NEARFAR_SIMD_TAG, true>(P2GBuffers<double> const&, P2GArgs const&);
template void p2g_simd<NEARFAR_SIMD_TAG, true>(P2GBuffers<float> const&, P2GArgs const&);

}  // namespace nearfar
