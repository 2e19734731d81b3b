// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/p2g/p2g.hpp"

#include "codelets/names.hpp"
#include "codelets/p2g/p2g_buffers.hpp"
#include "codelets/p2g/p2g_simd.hpp"
#include "codelets/portable.hpp"
#include "codelets/simd.hpp"

#include <algorithm>

namespace nearfar {

template <class T>
char const* P2G<T>::symbol() {
  static std::string const s = "nearfar_p2g" + precision_suffix<T>();
  return s.c_str();
}

/// Plane by plane, each the sum of what touches it: no two of them write the same place.
template <class T>
void P2G<T>::portable(Buffers const& buffers, Args const& args) {
  P2GBuffers<T> const b(buffers);
  Grid const& g = args.grid;
  WindowTable<T> const& w = *b.window;
  int const planes = g.planes(args.slab), length = g.row_length();
  portable_for(planes, [&](int p) {
    auto plane = [&](int m) { return b.slab + (std::int64_t(m) * planes + p) * g.plane_size(); };
    for (int m = 0; m < args.components; ++m) std::fill_n(plane(m), g.plane_size(), T(0));
    for (int i = 0; i < b.blocks(); ++i) {
      int points = 0;
      BlockView<T> const block = b.block(i, points);
      for (int j = 0; j < points; ++j) {
        auto const x = footprint(g, 0, block.position[j]);
        int const ix = wrap(g.first_plane(args.slab) + p - x.first, g.size[0]);
        if (ix >= g.window) continue;
        auto const y = footprint(g, 1, block.position[block.stride + j]);
        auto const z = footprint(g, 2, block.position[2 * block.stride + j]);
        T const wx = window_at(w.value, w.degree, ix, x.s);
        for (int iy = 0; iy < g.window; ++iy) {
          T const wxy = wx * window_at(w.value, w.degree, iy, y.s);
          for (int iz = 0; iz < g.window; ++iz) {
            T const weight = wxy * window_at(w.value, w.degree, iz, z.s);
            for (int m = 0; m < args.components; ++m)
              plane(m)[(y.first + iy) * length + z.first + iz] += weight * block.strength[m * block.stride + j];
          }
        }
      }
    }
    for (int m = 0; m < args.components; ++m) fold_halo(g, plane(m));
  });
}

template <class T>
void P2G<T>::tuned(Buffers const& buffers, Args const& args) {
  P2GBuffers<T> const b(buffers);
  simd_dispatch([&](auto tag) { p2g_simd<decltype(tag)>(b, args); });
}

template struct P2G<double>;
template struct P2G<float>;

}  // namespace nearfar
