// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/fmm_p2p/fmm_p2p_launch.hpp"
#include "codelets/fmm/fmm_p2p/pair_sum.hpp"

namespace nearfar {

/// A number of a thread of a GPU.
template <class T>
struct ThreadLanes : Lanes<T> {
  /// The units for numbers in double precision are what sums of pairs wait for, so whether there is a distance at all
  /// is left to others: it is in the high word, as all of the estimate is, which is then made exact by one step of
  /// third order. rsqrt() also knows numbers that squares of distances never are.
  NEARFAR_FUNCTION static T inverse_root(T x) {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(T) == 8) {
      constexpr int least_normal = 0x00100000;
      T y;
      asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
      y = __hiloint2double(__double2hiint(x) >= least_normal ? __double2hiint(y) : 0, 0);
      T const e = fma(-x * y, y, T(1));
      return fma(fma(T(0.375), e, T(0.5)), y * e, y);
    }
#endif
    return Lanes<T>::inverse_root(x);
  }
};

/// What the GPU threads of a block do for one piece of a leaf (codelets/common/gpu/gpu_team.hpp): a thread has two of
/// its targets, so that what it reads of a source serves for both, and pairs of targets several threads. The sources
/// come through shared memory, and each of those threads takes another slice of them. `Inverse` as in PairSum: it has
/// nothing, or the softening.
template <class K, class T, class Inverse = InverseDistance<ThreadLanes<T>>>
struct FmmP2PTeam {
  static constexpr int each = 2;  ///< targets of a thread
  using Sum = PairSum<T, each, K, ThreadLanes<T>>;
  using Pair = typename K::Bare;
  static constexpr int threads = 128, tile = 2 * threads, numbers = 3 + K::strengths;
  static constexpr int resident = sizeof(T) == 8 ? 4 : 6;  ///< blocks on a multiprocessor
  static constexpr int sums = each * K::results * threads, room = numbers * tile > sums ? numbers *tile : sums;
  static constexpr int memory_size = room + 1;  ///< numbers of T

  struct State {
    Sum sum;
    RunPlace next;
    int slice;
    T back[3];  ///< shift of the targets for the sources of the tile
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, FmmP2PLaunch<T> const& launch, LaunchList<PairSources<T>> const& sources,
                                   int block, T* memory) {
    PairPiece const piece = pair_piece(launch, block);
    if (piece.count() == 0) return;
    for (int c = 0; c < launch.args.vectors; ++c)
      sum(team, launch, sources, piece, c, piece.split ? launch.template part_of<K>(block, c) : nullptr, memory);
  }

 private:
  NEARFAR_FUNCTION static Inverse inverse_of([[maybe_unused]] FmmP2PLaunch<T> const& launch) {
    Inverse inverse{};
    if constexpr (requires { inverse.softening_squared; }) inverse.softening_squared = launch.softening_squared;
    return inverse;
  }

  template <class Team>
  NEARFAR_FUNCTION static void sum(Team& team, FmmP2PLaunch<T> const& launch, LaunchList<PairSources<T>> const& sources,
                                   PairPiece const& piece, int c, T* part, T* memory) {
    FmmP2PArgs const& args = launch.args;
    PairTable<PointRun> const table(launch.table);
    int const targets = piece.count(), groups = (targets + each - 1) / each, slices = threads / groups;
    team.step([&](int t, State& s) {
      s.slice = t / groups;
      s.next = piece.sources;
      s.sum.begin(launch.target, launch.stride, piece.targets.first + each * (t % groups), piece.targets.last);
      for (T& d : s.back) d = T(0);
    });
    auto const together = [](PointRun const& a, PointRun const& b) { return alike(a, b); };
    T* const filled = memory + room;  // negative: that was the last tile
    bool more = true;
    while (more) {
      team.step([&](int t, State& s) {
        int const here =
            fill_tile(tile, table, sources, s.next, together, [&](PointRun const& run, int first, int at, int taken) {
              for (int d = 0; d < 3; ++d) s.back[d] = T(ahead(run, d) * (args.edge * args.aspect[d]));
              for (int n = t; n < at + taken; n += threads) {
                if (n < at) continue;
                PairSources<T> const from = sources[run.buffer];
                T const* const strength = from.strength + c * K::strengths * from.stride;
                int const j = first + n - at;
                for (int d = 0; d < 3; ++d)
                  memory[d * tile + n] = from.position[d * from.stride + j] +
                                         T((run.image[d] - ahead(run, d)) * (args.edge * args.aspect[d]));
                for (int m = 0; m < K::strengths; ++m) memory[(3 + m) * tile + n] = strength[m * from.stride + j];
              }
            });
        if (t == 0) *filled = T(s.next.left > 0 ? here : -here);
      });
      more = *filled > T(0);
      int const count = int(more ? *filled : -*filled);
      team.step([&](int, State& s) {
        if (s.slice >= slices) return;
        s.sum.add_ahead(memory, memory + 3 * tile, tile, count * s.slice / slices, count * (s.slice + 1) / slices,
                        s.back, inverse_of(launch));
      });
    }
    team.step([&](int t, State& s) {
      for (int v = 0; v < each; ++v)
        for (int m = 0; m < K::results; ++m) memory[(v * K::results + m) * threads + t] = s.sum.u[v][m];
    });
    team.step([&](int t, State&) {
      if (t >= targets) return;
      for (int m = 0; m < K::results; ++m) {
        T total = T(0);
        for (int q = 0; q < slices; ++q) total += memory[(t % each * K::results + m) * threads + q * groups + t / each];
        T* const out = launch.result + (c * K::results + m) * launch.stride + piece.targets.first + t;
        if (part != nullptr) part[m * piece_targets + t] = total;
        else *out = sources.first > 0 ? *out + total : total;
      }
    });
  }

  /// Whether targets are moved back by the same for all sources of a tile.
  NEARFAR_FUNCTION static bool alike(PointRun const& a, PointRun const& b) {
    return ahead(a, 0) == ahead(b, 0) && ahead(a, 1) == ahead(b, 1) && ahead(a, 2) == ahead(b, 2);
  }
};

/// The next step: what a block does for a leaf whose sources are split.
template <class K, class T>
struct FmmP2PGatherTeam {
  static constexpr int threads = 128, memory_size = 1, results = K::results;
  using State = NoState;

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, FmmP2PLaunch<T> const& launch, bool add, int i, T*) {
    PairTable<PointRun> const table(launch.table);
    LeafCut const cut = table.cut(i);
    if (cut.splits == 1) return;
    int const parts = (table.cut(i + 1).first - cut.first) / cut.splits;
    team.step([&](int t, State&) {
      for (int c = 0; c < launch.args.vectors; ++c)
        for (int p = 0; p < parts; ++p) {
          LeafPiece const piece = leaf_piece(launch.leaf[i], i, parts, p);
          int const targets = piece.last - piece.first;
          for (int n = t; n < targets * results; n += threads) {
            int const m = n / targets, j = n % targets;
            T total = T(0);
            for (int k = 0; k < cut.splits; ++k)
              total += launch.template part_of<K>(cut.first + p * cut.splits + k, c)[m * piece_targets + j];
            T* const out = launch.result + (c * results + m) * launch.stride + piece.first + j;
            *out = add ? *out + total : total;
          }
        }
    });
  }
};

}  // namespace nearfar
