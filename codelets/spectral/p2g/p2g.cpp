// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/p2g/p2g.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"
#include "codelets/common/simd/simd.hpp"
#include "codelets/spectral/p2g/p2g_buffers.hpp"
#include "codelets/spectral/p2g/p2g_simd.hpp"
#include "codelets/spectral/p2g/p2g_spread.hpp"

#include <algorithm>

namespace nearfar {

template <class T, Spreading S>
char const* P2G<T, S>::symbol() {
  constexpr char const* of = S == Spreading::dipoles         ? "nearfar_p2g_dipoles"
                             : S == Spreading::double_layer  ? "nearfar_p2g_double_layer"
                             : S == Spreading::force_dipoles ? "nearfar_p2g_force_dipoles"
                                                             : "nearfar_p2g";
  static std::string const s = of + precision_suffix<T>();
  return s.c_str();
}

/// Plane by plane, each the sum over all points that touch it: no two iterations write to the same place.
template <class T, Spreading S>
void P2G<T, S>::portable(Buffers const& buffers, Args const& args) {
  P2GBuffers<T> const b(buffers, args);
  Grid const& g = args.grid;
  WindowTable<T> const& w = *b.window;
  int const planes = g.layout.planes(args.slab), length = g.layout.row_length;
  portable_for(planes, [&](int p) {
    auto plane = [&](int m) { return b.slab + (std::int64_t(m) * planes + p) * g.layout.plane_size(); };
    for (int m = 0; m < args.components; ++m) std::fill_n(plane(m), g.layout.plane_size(), T(0));
    for (int i = 0; i < b.blocks(); ++i) {
      int points = 0;
      BlockView<T> const block = b.block(i, points);
      for (int j = 0; j < points; ++j) {
        auto const x = footprint<T>(g, 0, block.position[j]);
        int const ix = wrap(g.layout.first_plane(args.slab) + p - x.first, g.layout.size[0]);
        if (ix >= g.window) continue;
        auto const y = footprint<T>(g, 1, block.position[block.stride + j]);
        auto const z = footprint<T>(g, 2, block.position[2 * block.stride + j]);
        Spread<S, T> const spread(args, block, j);
        Line<S, T> const wx(w, x.s), wy(w, y.s), wz(w, z.s);
        for (int iy = 0; iy < g.window; ++iy) {
          for (int iz = 0; iz < g.window; ++iz)
            spread.at(wx.at(ix), wy.at(iy), wz.at(iz),
                      [&](int m, T value) { plane(m)[(y.first + iy) * length + z.first + iz] += value; });
        }
      }
    }
    for (int m = 0; m < args.components; ++m) fold_halo(g, plane(m));
  });
}

template <class T, Spreading S>
void P2G<T, S>::tuned(Buffers const& buffers, Args const& args) {
  P2GBuffers<T> const b(buffers, args);
  simd_dispatch([&](auto tag) { p2g_simd<decltype(tag), S>(b, args); });
}

#define NEARFAR_INSTANTIATE(T, S) template struct P2G<T, S>;
NEARFAR_EACH_SPREADING(NEARFAR_INSTANTIATE)

}  // namespace nearfar
