// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/p2g/p2g_simd.hpp"

#include "codelets/window_simd.hpp"

namespace nearfar {

namespace {

/// Spreads one block with windows of Vectors SIMD batches and Components strengths.
template <class Tag, int Vectors, int Components, class T>
void spread_block(P2GBuffers<T> const& b, P2GArgs const& args, BlockView<T> const& block, int points) {
  using V = Batch<T, Tag>;
  constexpr int lanes = int(V::size);
  Grid const& g = args.grid;
  WindowTable<T> const& w = *b.window;
  int const begin = g.first_plane(args.slab), planes = g.planes(args.slab), length = g.row_length();
  std::int64_t const plane_size = g.plane_size(), component = plane_size * planes;
  for (int j = 0; j < points; ++j) {
    auto const x = footprint(g, 0, block.position[j]);
    // Planes of the window that lie in this slab: those before the wrap, or those after it.
    int const behind = wrap(x.first - begin, g.size[0]);
    if (behind >= planes && behind + g.window <= g.size[0]) continue;
    auto const y = footprint(g, 1, block.position[block.stride + j]);
    auto const z = footprint(g, 2, block.position[2 * block.stride + j]);
    alignas(64) T wx[window_row], wy[window_row];
    V vx[Vectors], vy[Vectors], vz[Vectors];
    window_vectors<Vectors>(w.value, w.degree, x.s, vx);
    window_vectors<Vectors>(w.value, w.degree, y.s, vy);
    window_vectors<Vectors>(w.value, w.degree, z.s, vz);
    for (int v = 0; v < Vectors; ++v) {
      vx[v].store_aligned(wx + v * lanes);
      vy[v].store_aligned(wy + v * lanes);
    }
    T* const corner = b.slab + std::int64_t(y.first) * length + z.first;
    for (int ix = 0; ix < g.window; ++ix) {
      int const plane = behind + ix < g.size[0] ? behind + ix : behind + ix - g.size[0];
      if (plane >= planes) continue;
      for (int m = 0; m < Components; ++m) {
        T* row = corner + m * component + plane * plane_size;
        T const fx = wx[ix] * block.strength[m * block.stride + j];
        for (int iy = 0; iy < g.window; ++iy, row += length) {
          V const weight(fx * wy[iy]);
          for (int v = 0; v < Vectors; ++v)
            xsimd::fma(weight, vz[v], V::load_unaligned(row + v * lanes)).store_unaligned(row + v * lanes);
        }
      }
    }
  }
}

}  // namespace

template <class Tag, class T>
void p2g_simd(P2GBuffers<T> const& b, P2GArgs const& args) {
  Grid const& g = args.grid;
  std::int64_t const planes = g.planes(args.slab) * std::int64_t(args.components);
  for (std::int64_t i = 0; i < planes * g.plane_size(); ++i) b.slab[i] = 0;
  for (int i = 0; i < b.blocks(); ++i) {
    int points = 0;
    BlockView<T> const block = b.block(i, points);
    with_vectors<Batch<T, Tag>>(g.window, [&]<int Vectors>() {
      switch (args.components) {
        case 1: return spread_block<Tag, Vectors, 1>(b, args, block, points);
        case 3: return spread_block<Tag, Vectors, 3>(b, args, block, points);
        default: return spread_block<Tag, Vectors, 4>(b, args, block, points);
      }
    });
  }
  for (std::int64_t p = 0; p < planes; ++p) fold_halo(g, b.slab + p * g.plane_size());
}

template void p2g_simd<NEARFAR_SIMD_TAG>(P2GBuffers<double> const&, P2GArgs const&);
template void p2g_simd<NEARFAR_SIMD_TAG>(P2GBuffers<float> const&, P2GArgs const&);

}  // namespace nearfar
