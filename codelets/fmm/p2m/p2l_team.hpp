// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/common/simd/lanes.hpp"
#include "codelets/fmm/fmm_args.hpp"
#include "codelets/fmm/p2m/moments_team.hpp"
#include "codelets/fmm/point_runs.hpp"
#include "core/fmm/irregular_columns.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

/// Pointers of a P2L task.
template <class T>
struct P2LLaunch {
  P2LArgs args;
  Leaf const* box = nullptr;
  std::int32_t const* table = nullptr;
  T* out = nullptr;
  int boxes = 0;

  template <class Buffers>
  static P2LLaunch of(Buffers const& b, P2LArgs const& args) {
    return {args, b.template get<Leaf const>(0), b.template get<std::int32_t const>(1), b.template get<T>(3),
            int(b.template size<Leaf>(0))};
  }
};

/// What the threads of a GPU block do for one box, right-hand side and vector of charges
/// (codelets/common/gpu/gpu_team.hpp): the sources of its runs go to shared memory in batches, then their
/// irregular harmonics, then each thread adds over them for its coefficients, `Slots` for each thread.
template <class Sums, int Slots, class T>
struct P2LTeam {
  using Moments = MomentsTeam<Sums, Slots, T, true>;
  static constexpr int threads = Moments::threads, weights = Moments::weights;
  static constexpr int room = 5120, max_points = 32;  // of the harmonics
  static constexpr int memory_size = 1 + (3 + Sums::weights) * (max_points + 1) + room;

  struct State {
    T sum[Slots][weights];
    RunPlace next;
  };

  /// For each batch. A row of points is one longer, so that neighbours are in different banks.
  NEARFAR_FUNCTION static int points_at_once(int order) {
    int points = max_points;
    while (points > 1 && coefficient_count(Moments::top(order)) * (points + 1) > room) points /= 2;
    return points;
  }
  NEARFAR_FUNCTION static int blocks(P2LLaunch<T> const& launch) {
    return launch.boxes * launch.args.vectors * Sums::rhs;
  }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, P2LLaunch<T> const& launch, LaunchList<PairSources<T>> const& sources,
                                   int block, T* memory) {
    P2LArgs const& args = launch.args;
    int const r = block % Sums::rhs, v = block / Sums::rhs % args.vectors, i = block / Sums::rhs / args.vectors;
    PairTable<PointRun> const table(launch.table);
    if (i >= table.targets() || table.range(i).count == 0) return;
    int const degrees = Moments::top(args.order), coefficients = coefficient_count(degrees),
              points = points_at_once(args.order), row = points + 1;
    T *const filled = memory, *const place = filled + 1, *const weight = place + 3 * row,
             *const harmonic = weight + Sums::weights * row;
    T centre[3];
    box_centre(args.corner, args.half, args.aspect, launch.box[i].at, centre);
    T const inverse_half = T(1) / T(args.half);
    RunPlace const begin = place_of_range(table, table.range(i));
    team.step([&](int, State& s) {
      s.next = begin;
      for (auto& slot : s.sum)
        for (T& sum : slot) sum = T(0);
    });
    for (int count = points; count == points;) {
      team.step([&](int t, State& s) {
        int const here = fill_tile(
            points, table, sources, s.next, [](PointRun const&, PointRun const&) { return true; },
            [&](PointRun const& run, int first, int at, int taken) {
              if (t < at || t >= at + taken) return;
              PairSources<T> const from = sources[run.buffer];
              int const j = first + t - at;
              T y[3], f[Sums::strengths], w[Sums::weights];
              for (int d = 0; d < 3; ++d) {
                y[d] = from.position[d * from.stride + j] + T(run.image[d] * (args.edge * args.aspect[d]));
                place[d * row + t] = (y[d] - centre[d]) * inverse_half;
              }
              for (int m = 0; m < Sums::strengths; ++m)
                f[m] = from.strength[(v * Sums::strengths + m) * from.stride + j];
              Sums::weigh(f, y, inverse_half, w);
              for (int k = 0; k < Sums::weights; ++k) weight[k * row + t] = w[k];
            });
        if (t == 0) *filled = T(here);
      });
      count = int(*filled);
      team.step([&](int t, State&) {
        int const j = t % points;
        if (j >= count) return;
        T const x = place[j], y = place[row + j], z = place[2 * row + j];
        visit_irregular_harmonics(degrees, t / points, threads / points, x, y, z,
                                  Lanes<T>::inverse_root(x * x + y * y + z * z), [&](int n, int m, T re, T im) {
                                    harmonic[real_index(n, m) * row + j] = re;
                                    if (m > 0) harmonic[imag_index(n, m) * row + j] = im;
                                  });
      });
      team.step([&](int t, State& s) {
        NEARFAR_DEVICE_UNROLL(Slots)
        for (int slot = 0; slot < Slots; ++slot) {
          int const c = t + slot * threads;
          if (c >= coefficients) continue;
          for (int k = 0; k < weights; ++k) {
            T const* const w = weight + Moments::weight_of(r, k) * row;
            T sum = s.sum[slot][k];
            for (int j = 0; j < count; ++j) sum += w[j] * harmonic[c * row + j];
            s.sum[slot][k] = sum;
          }
        }
      });
    }
    T* const out =
        launch.out + ((std::int64_t(i) * args.vectors + v) * Sums::rhs + r) * expansion_stride<T>(args.order);
    Moments::template finish<true>(team, args.order, harmonic, out);
  }
};

}  // namespace nearfar
