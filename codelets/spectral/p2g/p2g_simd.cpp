// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/p2g/p2g_simd.hpp"

#include "codelets/spectral/window_simd.hpp"

namespace nearfar {

namespace {

/// Plain strengths: one product of windows for all components.
template <int Numbers, int Components, class V, class T>
struct SpreadPlain {
  static constexpr int components = Components;
  using OfWindow = Row<V, Numbers>;
  Windows<OfWindow::vectors, V, T> window;
  T strength[Components];

  template <class Footprints>
  [[gnu::always_inline]] inline void set(P2GArgs const&, WindowTable<T> const& w, Footprints const& at,
                                         BlockView<T> const& block, int j) {
    T const s[3] = {at[0].s, at[1].s, at[2].s};
    window.set_values(w, s);
    for (int m = 0; m < Components; ++m) strength[m] = block.strength[m * block.stride + j];
  }

  /// Adds to the window's rows in one plane.
  [[gnu::always_inline]] inline void add_plane(int ix, int m, T* row, int length, int points) const {
    OfWindow along_z = OfWindow::zero();
    along_z.add(window.at[0][ix] * strength[m], OfWindow::load(window.at[2]));
    for (int iy = 0; iy < points; ++iy, row += length) {
      OfWindow sum = OfWindow::load(row);
      sum.add(window.at[1][iy], along_z);
      sum.store(row);
    }
  }
};

/// By slopes: two rows along z, one for the window along y and one for its slope.
template <int Numbers, Spreading S, class V, class T>
struct SpreadSloped {
  static constexpr int components = Layers<T, S>::components, sloped = Layers<T, S>::sloped;
  using OfWindow = Row<V, Numbers>;
  Windows<OfWindow::vectors, V, T> window, slope;
  Layers<T, S> layer;

  template <class Footprints>
  [[gnu::always_inline]] inline void set(P2GArgs const& args, WindowTable<T> const& w, Footprints const& at,
                                         BlockView<T> const& block, int j) {
    T const s[3] = {at[0].s, at[1].s, at[2].s};
    window.set_values(w, s);
    slope.set_slopes(w, s);
    layer.set(args.grid, block.strength + j, block.stride, args.forces);
  }

  [[gnu::always_inline]] inline void add_plane(int ix, int m, T* row, int length, int points) const {
    bool const slopes = sloped == components || m < sloped;
    T const* const d = layer.slope[slopes ? m : 0];
    OfWindow const plain = OfWindow::load(window.at[2]);
    OfWindow values = OfWindow::zero(), rises = OfWindow::zero();
    values.add(window.at[0][ix] * layer.value[m] + (slopes ? slope.at[0][ix] * d[0] : T(0)), plain);
    if (slopes) {
      values.add(window.at[0][ix] * d[2], OfWindow::load(slope.at[2]));
      rises.add(window.at[0][ix] * d[1], plain);
    }
    for (int iy = 0; iy < points; ++iy, row += length) {
      OfWindow sum = OfWindow::load(row);
      sum.add(window.at[1][iy], values);
      if (slopes) sum.add(slope.at[1][iy], rises);
      sum.store(row);
    }
  }
};

/// A point whose window touches the slab.
template <class Spread>
struct Touching {
  Spread spread;
  std::int64_t corner;  ///< of its window in a plane
  int behind;           ///< planes from the slab's first to the window's first, counted periodically
};

/// Points whose windows are computed together.
constexpr int together = 16;

/// With a wide window, one component after the other is spread: the rows of all components would not fit the L1 cache.
template <class Spread, bool Wide, class T>
void spread_points(P2GBuffers<T> const& b, P2GArgs const& args, BlockView<T> const& block, int first, int last) {
  Grid const& g = args.grid;
  int const begin = g.layout.first_plane(args.slab), planes = g.layout.planes(args.slab), length = g.layout.row_length;
  std::int64_t const plane_size = g.layout.plane_size(), component = plane_size * planes;
  Touching<Spread> touching[together];
  for (int j = first; j < last;) {
    int count = 0;
    for (; j < last && count < together; ++j) {
      Footprint<T> at[3];
      at[0] = footprint<T>(g, 0, block.position[j]);
      // Planes of the window that lie in this slab: those before the wrap, or those after it.
      int const behind = at[0].first - begin + (at[0].first < begin ? g.layout.size[0] : 0);
      if (behind >= planes && behind + g.window <= g.layout.size[0]) continue;
      at[1] = footprint<T>(g, 1, block.position[block.stride + j]);
      at[2] = footprint<T>(g, 2, block.position[2 * block.stride + j]);
      auto& p = touching[count++];
      p.spread.set(args, *b.window, at, block, j);
      p.corner = std::int64_t(at[1].first) * length + at[2].first;
      p.behind = behind;
    }
    if (count == 0) break;
    auto const add = [&](Touching<Spread> const& p, int ix, int m) {
      int const plane = p.behind + ix < g.layout.size[0] ? p.behind + ix : p.behind + ix - g.layout.size[0];
      if (plane >= planes) return;
      p.spread.add_plane(ix, m, b.slab + m * component + plane * plane_size + p.corner, length, g.window);
    };
    if constexpr (Wide) {
      for (int m = 0; m < Spread::components; ++m)
        for (int i = 0; i < count; ++i)
          for (int ix = 0; ix < g.window; ++ix) add(touching[i], ix, m);
    } else {
      for (int i = 0; i < count; ++i)
        for (int ix = 0; ix < g.window; ++ix)
          for (int m = 0; m < Spread::components; ++m) add(touching[i], ix, m);
    }
  }
}

}  // namespace

template <class Tag, Spreading S, class T>
void p2g_simd(P2GBuffers<T> const& b, P2GArgs const& args) {
  using V = Batch<T, Tag>;
  Grid const& g = args.grid;
  std::int64_t const planes = g.layout.planes(args.slab) * std::int64_t(args.components);
  for (std::int64_t i = 0; i < planes * g.layout.plane_size(); ++i) b.slab[i] = 0;
  b.for_columns_beside(args, [&](BlockView<T> const& block, int first, int last) {
    with_row<V>(g.window, [&]<int Numbers>() {
      constexpr bool wide = Numbers > int(V::size);
      if constexpr (has_slopes(S))
        return spread_points < SpreadSloped<Numbers, S, V, T>,
               wide && Layers<T, S>::components != 1 > (b, args, block, first, last);
      else if (args.components == 1)
        return spread_points<SpreadPlain<Numbers, 1, V, T>, false>(b, args, block, first, last);
      else return spread_points<SpreadPlain<Numbers, 3, V, T>, wide>(b, args, block, first, last);
    });
  });
  for (std::int64_t p = 0; p < planes; ++p) fold_halo(g, b.slab + p * g.layout.plane_size());
}

#define NEARFAR_INSTANTIATE(T, S) template void p2g_simd<NEARFAR_SIMD_TAG, S>(P2GBuffers<T> const&, P2GArgs const&);
NEARFAR_EACH_SPREADING(NEARFAR_INSTANTIATE)

}  // namespace nearfar
