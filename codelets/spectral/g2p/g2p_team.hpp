// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/points/either_precision.hpp"
#include "codelets/spectral/g2p/g2p_body.hpp"
#include "codelets/spectral/window_bins.hpp"
#include "core/ewald/split/near_pair.hpp"
#include "core/kernels/kernels.hpp"

#include <cstdint>

namespace nearfar {

/// Pointers of a G2P task.
template <class T>
struct G2PLaunch {
  G2PArgs args;
  WindowTable<T> const* window = nullptr;
  Positions<T> position{};  ///< of the chunk
  std::int64_t stride = 0;
  std::int32_t const* offset = nullptr;  ///< of the block's cells
  T* result = nullptr;                   ///< of the chunk
  std::int64_t result_stride = 0;
  double scale[3] = {};  ///< of the grid
};

/// Passes of whole rows that a window needs, and the widest window that this many passes cover.
NEARFAR_FUNCTION constexpr int g2p_passes(int warp, int window) {
  return (window + warp / window - 1) / (warp / window);
}
NEARFAR_FUNCTION constexpr int g2p_bins(int warp, int passes) {
  int widest = max_window_points;
  while (widest > 1 && g2p_passes(warp, widest) > passes) --widest;
  return widest;
}

/// What the threads of a GPU warp do for a few consecutive targets: each thread handles some rows and columns of
/// a window, the same for all targets, and sums over its planes. What they read of a plane is adjacent in memory.
template <class Gather, class T, int warp, int passes>
struct G2PTeam {
  static constexpr int threads = warp, components = Gather::components, results = Gather::results,
                       kinds = Gather::seconds  ? 3
                               : Gather::slopes ? 2
                                                : 1,  ///< sums over the planes: with the window, with its slopes
      targets = results > 4                                  ? 1
                : Gather::slopes || passes >= 8 || warp > 32 ? 2
                                                             : 4;
  static constexpr int bins = g2p_bins(warp, passes);

  struct State {
    int y[passes], z[passes];  ///< in the window, by whole rows; beyond its end for threads that have none
    int place[passes];         ///< in a plane, from the corner of the window
  };
  struct Plane {
    T const* corner;  ///< of the window, first component; null: another launch has it
    std::int64_t component;
  };
  struct Memory {
    T window[targets][kinds][3][bins];
    Plane plane[targets][bins];
    T part[targets * results][threads + 1];  ///< rows begin in different banks
  };

  NEARFAR_FUNCTION static int warps(PointRange const& chunk) { return (chunk.count() + targets - 1) / targets; }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, G2PLaunch<T> const& launch, LaunchList<T const*> const& slabs,
                                   int number, Memory& memory) {
    Grid const& grid = launch.args.grid;
    int const first = number * targets, left = launch.args.chunk.count() - first,
              count = left < targets ? left : targets, window = grid.window;
    team.step([&](int t, State& s) {
      int const rows_at_once = threads / window;
      for (int k = 0; k < passes; ++k) {
        s.z[k] = t % window;
        s.y[k] = t < rows_at_once * window ? k * rows_at_once + t / window : window;
        s.place[k] = s.y[k] < window ? s.y[k] * grid.layout.row_length + s.z[k] : 0;
      }
      set_windows(launch, slabs, first, count, t, memory);
    });
    team.step([&](int t, State& s) {
      for (int i = 0; i < count; ++i) gather(memory, i, window, s, t);
    });
    // Several threads add the parts of a row of `part`, one those of a target.
    constexpr int rows = targets * results, slices = threads / rows > 1 ? threads / rows : 1;
    team.step([&](int t, State&) {
      for (int r = t / slices; r < rows; r += threads / slices) {
        T sum = T(0);
        for (int k = t % slices; k < threads; k += slices) sum += memory.part[r][k];
        memory.part[r][t % slices] = sum;
      }
    });
    team.step([&](int t, State&) {
      for (int r = t; r < rows; r += threads) {
        int const i = r / results, m = r % results;
        if (i >= count) continue;
        T sum = T(0);
        for (int k = 0; k < slices; ++k) sum += memory.part[r][k];
        T& out = launch.result[m * launch.result_stride + first + i];
        out = slabs.first > 0 ? out + sum : sum;
      }
    });
  }

 private:
  /// Bins of the windows, and the addresses of their planes.
  NEARFAR_FUNCTION static void set_windows(G2PLaunch<T> const& launch, LaunchList<T const*> const& slabs, int first,
                                           int count, int t, Memory& memory) {
    Grid const& grid = launch.args.grid;
    int lanes = 4;
    while (lanes < grid.window) lanes *= 2;
    int const bin = t % lanes;
    if (bin >= grid.window) return;
    for (int i = t / lanes; i < count; i += threads / lanes) {
      T s[3], value[3], slope[3], second[3];
      int from[3];
      bool const one_slab = grid.layout.slabs == 1;
      for (int d = 0; d < 3; ++d) {
        auto const foot = footprint<T>(grid, d, launch.position[d * launch.stride + first + i], launch.scale[d]);
        from[d] = foot.first;
        s[d] = foot.s;
      }
      window_bins<3, kinds - 1>(*launch.window, bin, s, value, slope, second);
      for (int d = 0; d < 3; ++d) {
        memory.window[i][0][d][bin] = value[d];
        // The slope is with respect to the grid point; moving the target has the opposite sign.
        if constexpr (Gather::slopes) memory.window[i][1][d][bin] = -T(launch.scale[d]) * slope[d];
        if constexpr (Gather::seconds) memory.window[i][2][d][bin] = T(launch.scale[d] * launch.scale[d]) * second[d];
      }
      int const around = from[0] + bin, p = around < grid.layout.size[0] ? around : around - grid.layout.size[0],
                slab = one_slab ? 0 : grid.layout.slab_of(p), place = launch.args.slabs.place(slab),
                planes = one_slab ? grid.layout.size[0] : grid.layout.planes(slab),
                first_plane = one_slab ? 0 : grid.layout.first_plane(slab);
      T const* const data = slabs.has(place) ? slabs[place] : nullptr;
      std::int64_t const corner = std::int64_t(from[1]) * grid.layout.row_length + from[2];
      memory.plane[i][bin] = {data == nullptr ? data : data + (p - first_plane) * grid.layout.plane_size() + corner,
                              planes * grid.layout.plane_size()};
    }
  }

  /// A thread's part of the sum for target i.
  NEARFAR_FUNCTION static void gather(Memory& memory, int i, int window, State const& s, int t) {
    T sum[kinds][components][passes];
    for (auto& kind : sum)
      for (auto& component : kind)
        for (T& part : component) part = T(0);
    NEARFAR_DEVICE_UNROLL(2)
    for (int ix = 0; ix < window; ++ix) {
      Plane const& plane = memory.plane[i][ix];
      if (plane.corner == nullptr) continue;
      for (int m = 0; m < components; ++m)
        for (int k = 0; k < passes; ++k) {
          T const here = plane.corner[m * plane.component + s.place[k]];
          for (int n = 0; n < (m < Gather::sloped ? kinds : 1); ++n) sum[n][m][k] += memory.window[i][n][0][ix] * here;
        }
    }
    T total[results] = {};
    auto const& w = memory.window[i];
    for (int k = 0; k < passes; ++k) {
      if (s.y[k] >= window) continue;
      T const y = w[0][1][s.y[k]], z = w[0][2][s.z[k]];
      for (int m = 0; m < components; ++m) total[m] += y * z * sum[0][m][k];
      if constexpr (Gather::slopes)
        for (int m = 0; m < Gather::sloped; ++m) {
          total[Gather::slope(m, 0)] += y * z * sum[1][m][k];
          total[Gather::slope(m, 1)] += w[1][1][s.y[k]] * z * sum[0][m][k];
          total[Gather::slope(m, 2)] += y * w[1][2][s.z[k]] * sum[0][m][k];
        }
      if constexpr (Gather::seconds) {
        T const slope_y = w[1][1][s.y[k]], slope_z = w[1][2][s.z[k]];
        total[4] += y * z * sum[2][0][k];
        total[5] += slope_y * z * sum[1][0][k];
        total[6] += y * slope_z * sum[1][0][k];
        total[7] += w[2][1][s.y[k]] * z * sum[0][0][k];
        total[8] += slope_y * slope_z * sum[0][0][k];
        total[9] += y * w[2][2][s.z[k]] * sum[0][0][k];
      }
    }
    for (int m = 0; m < results; ++m) memory.part[i * results + m][t] = total[m];
  }
};

}  // namespace nearfar
