// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/spectral/g2p/g2p_team.hpp"
#include "core/ewald/window/window_weights.hpp"

#include <cstdint>

namespace nearfar {

/// Adds to u[] what one target gathers from its window. plane_at(number) gives the planes, whose numbers may run past
/// the end of the grid once; those without data are left out.
template <class Gather, class T, class PlaneAt>
NEARFAR_FUNCTION void gather_target(WindowTable<T> const& w, Grid const& g, Positions<T> position, std::int64_t stride,
                                    PlaneAt const& plane_at, T* u) {
  auto const x = footprint<T>(g, 0, position[0]);
  auto const y = footprint<T>(g, 1, position[stride]);
  auto const z = footprint<T>(g, 2, position[2 * stride]);
  T wx[max_window_points], wy[max_window_points], wz[max_window_points];
  window_values(w, x.s, wx);
  window_values(w, y.s, wy);
  window_values(w, z.s, wz);
  T sx[max_window_points], sy[max_window_points], sz[max_window_points];
  if constexpr (Gather::slopes) {
    window_slopes(w, x.s, sx);
    window_slopes(w, y.s, sy);
    window_slopes(w, z.s, sz);
  }
  T bx[max_window_points], by[max_window_points], bz[max_window_points];
  if constexpr (Gather::seconds) {
    window_seconds(w, x.s, bx);
    window_seconds(w, y.s, by);
    window_seconds(w, z.s, bz);
  }
  T const scale[3] = {T(g.layout.scale(0)), T(g.layout.scale(1)), T(g.layout.scale(2))};
  for (int ix = 0; ix < g.window; ++ix) {
    SlabView<T> const slab = plane_at(x.first + ix);
    if (slab.data == nullptr) continue;
    for (int iy = 0; iy < g.window; ++iy) {
      for (int iz = 0; iz < g.window; ++iz) {
        auto const grid = [&](int m) {
          return slab.data[(std::int64_t(m) * slab.planes + slab.plane) * g.layout.plane_size() +
                           std::int64_t(y.first + iy) * g.layout.row_length + z.first + iz];
        };
        for (int m = 0; m < Gather::components; ++m) u[m] += wx[ix] * wy[iy] * wz[iz] * grid(m);
        if constexpr (Gather::slopes) {
          // The slope is with respect to the grid point; the target moves the other way.
          for (int m = 0; m < Gather::sloped; ++m) {
            u[Gather::slope(m, 0)] -= T(g.layout.scale(0)) * sx[ix] * wy[iy] * wz[iz] * grid(m);
            u[Gather::slope(m, 1)] -= T(g.layout.scale(1)) * wx[ix] * sy[iy] * wz[iz] * grid(m);
            u[Gather::slope(m, 2)] -= T(g.layout.scale(2)) * wx[ix] * wy[iy] * sz[iz] * grid(m);
          }
        }
        if constexpr (Gather::seconds) {
          u[4] += scale[0] * scale[0] * bx[ix] * wy[iy] * wz[iz] * grid(0);
          u[5] += scale[0] * scale[1] * sx[ix] * sy[iy] * wz[iz] * grid(0);
          u[6] += scale[0] * scale[2] * sx[ix] * wy[iy] * sz[iz] * grid(0);
          u[7] += scale[1] * scale[1] * wx[ix] * by[iy] * wz[iz] * grid(0);
          u[8] += scale[1] * scale[2] * wx[ix] * sy[iy] * sz[iz] * grid(0);
          u[9] += scale[2] * scale[2] * wx[ix] * wy[iy] * bz[iz] * grid(0);
        }
      }
    }
  }
}

/// Target-ordered, on a GPU: a thread for each target of a chunk.
template <class Gather, class T>
struct GatherOneTarget {
  G2PLaunch<T> launch;
  LaunchList<T const*> slabs;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    constexpr int results = Gather::results;
    auto const& layout = launch.args.grid.layout;
    T u[results] = {};
    gather_target<Gather>(
        *launch.window, launch.args.grid, launch.position + i, launch.stride,
        [&](int plane) {
          int const p = plane < layout.size[0] ? plane : plane - layout.size[0], slab = layout.slab_of(p),
                    place = launch.args.slabs.place(slab);
          return SlabView<T>{slabs.has(place) ? slabs[place] : nullptr, p - layout.first_plane(slab),
                             layout.planes(slab)};
        },
        u);
    for (int m = 0; m < results; ++m) {
      T& out = launch.result[m * launch.result_stride + i];
      out = slabs.first > 0 ? out + u[m] : u[m];
    }
  }
};

}  // namespace nearfar
