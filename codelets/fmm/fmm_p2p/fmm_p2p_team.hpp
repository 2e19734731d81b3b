// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu_team.hpp"
#include "codelets/fmm/fmm_args.hpp"
#include "codelets/fmm/fmm_p2p/pair_sum.hpp"
#include "codelets/fmm/leaf_pieces.hpp"
#include "codelets/fmm/point_runs.hpp"

namespace nearfar {

/// Pointers of a task.
template <class T>
struct FmmP2PLaunch {
  FmmP2PArgs args;
  Leaf const* leaf = nullptr;
  std::int32_t const* table = nullptr;
  T const* target = nullptr;
  T* result = nullptr;
  std::int64_t stride = 0;
  int leaves = 0;
  T* part = nullptr;  ///< results of pieces of leaves whose sources are split

  /// Number of threads; some find nothing to do.
  int blocks() const { return max_pair_pieces(leaves, int(stride)); }
  /// Numbers of `part`.
  template <Kernel K, bool G>
  std::int64_t part_size() const {
    return std::int64_t(blocks()) * args.vectors * BarePair<K, G>::results * piece_targets;
  }

  template <class Buffers>
  static FmmP2PLaunch of(Buffers const& b, FmmP2PArgs const& args) {
    return {args,
            b.template get<Leaf const>(0),
            b.template get<std::int32_t const>(1),
            b.template get<T const>(2),
            b.template get<T>(4),
            b.template size<T>(2) / 3,
            int(b.template size<Leaf>(0))};
  }
};

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

/// What the GPU threads of a block do for one piece of a leaf (codelets/common/gpu_team.hpp): a thread has two of its
/// targets, so that what it reads of a source serves for both, and pairs of targets several threads. The sources come
/// through shared memory, and each of those threads takes another slice of them.
template <Kernel K, bool G, class T>
struct FmmP2PTeam {
  static constexpr int each = 2;  ///< targets of a thread
  using Sum = PairSum<T, each, K, G, ThreadLanes<T>>;
  using Pair = BarePair<K, G>;
  static constexpr int threads = 128, tile = 2 * threads, numbers = 3 + Pair::strengths;
  static constexpr int resident = sizeof(T) == 8 ? 4 : 6;  ///< blocks on a multiprocessor
  static constexpr int sums = each * Pair::results * threads, room = numbers * tile > sums ? numbers *tile : sums;
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
    PairTable<PointRun> const table(launch.table);
    int const leaf = bisect(launch.leaves, [&](int i) { return table.cut(i).first <= block; });
    LeafCut const cut = table.cut(leaf);
    int const pieces = table.cut(leaf + 1).first - cut.first, number = block - cut.first;
    if (number >= pieces) return;
    LeafPiece const piece = leaf_piece(launch.leaf[leaf], leaf, pieces / cut.splits, number / cut.splits);
    if (piece.first == piece.last) return;
    auto const bound = [&](int i) { return int(std::int64_t(cut.sources) * i / cut.splits); };
    int const first = bound(number % cut.splits), count = bound(number % cut.splits + 1) - first;
    RunPlace const begin = place_of(table, table.range(leaf).first, first, count);
    for (int c = 0; c < launch.args.vectors; ++c) {
      T* const part = cut.splits == 1 ? nullptr : part_of(launch, block, c);
      sum(team, launch, sources, piece, begin, c, part, memory);
    }
  }

  /// Results of a piece.
  NEARFAR_FUNCTION static T* part_of(FmmP2PLaunch<T> const& launch, int block, int c) {
    return launch.part + (std::int64_t(block) * launch.args.vectors + c) * Pair::results * piece_targets;
  }

 private:
  template <class Team>
  NEARFAR_FUNCTION static void sum(Team& team, FmmP2PLaunch<T> const& launch, LaunchList<PairSources<T>> const& sources,
                                   LeafPiece const& piece, RunPlace const& begin, int c, T* part, T* memory) {
    FmmP2PArgs const& args = launch.args;
    PairTable<PointRun> const table(launch.table);
    int const targets = piece.last - piece.first, groups = (targets + each - 1) / each, slices = threads / groups;
    team.step([&](int t, State& s) {
      s.slice = t / groups;
      s.next = begin;
      s.sum.begin(launch.target, launch.stride, piece.first + each * (t % groups), piece.last);
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
                T const* const strength = from.strength + c * Pair::strengths * from.stride;
                int const j = first + n - at;
                for (int d = 0; d < 3; ++d)
                  memory[d * tile + n] = from.position[d * from.stride + j] +
                                         T((run.image[d] - ahead(run, d)) * (args.edge * args.aspect[d]));
                for (int m = 0; m < Pair::strengths; ++m) memory[(3 + m) * tile + n] = strength[m * from.stride + j];
              }
            });
        if (t == 0) *filled = T(s.next.left > 0 ? here : -here);
      });
      more = *filled > T(0);
      int const count = int(more ? *filled : -*filled);
      team.step([&](int, State& s) {
        if (s.slice >= slices) return;
        s.sum.add_ahead(memory, memory + 3 * tile, tile, count * s.slice / slices, count * (s.slice + 1) / slices,
                        s.back);
      });
    }
    team.step([&](int t, State& s) {
      for (int v = 0; v < each; ++v)
        for (int m = 0; m < Pair::results; ++m) memory[(v * Pair::results + m) * threads + t] = s.sum.u[v][m];
    });
    team.step([&](int t, State&) {
      if (t >= targets) return;
      for (int m = 0; m < Pair::results; ++m) {
        T total = T(0);
        for (int q = 0; q < slices; ++q)
          total += memory[(t % each * Pair::results + m) * threads + q * groups + t / each];
        T* const out = launch.result + (c * Pair::results + m) * launch.stride + piece.first + t;
        if (part != nullptr) part[m * piece_targets + t] = total;
        else *out = sources.first > 0 ? *out + total : total;
      }
    });
  }

  /// The shift by which targets are moved back instead of moving the sources of a run forward, as in
  /// PairSum::add, which keeps the digits of close pairs. Sources of images at negative shifts are moved.
  NEARFAR_FUNCTION static int ahead(PointRun const& run, int d) { return run.image[d] > 0 ? run.image[d] : 0; }
  /// Whether that is equal for all targets of a tile.
  NEARFAR_FUNCTION static bool alike(PointRun const& a, PointRun const& b) {
    return ahead(a, 0) == ahead(b, 0) && ahead(a, 1) == ahead(b, 1) && ahead(a, 2) == ahead(b, 2);
  }

  /// The sources from number `first` of a leaf on.
  NEARFAR_FUNCTION static RunPlace place_of(PairTable<PointRun> const& table, int item, int first, int count) {
    RunPlace place{item, first, count};
    for (; count > 0; ++place.item) {
      PointRun const& run = table.item(place.item);
      if (place.done < run.last - run.first) break;
      place.done -= run.last - run.first;
    }
    return place;
  }
};

/// The next step: what a block does for a leaf whose sources are split.
template <Kernel K, bool G, class T>
struct FmmP2PGatherTeam {
  static constexpr int threads = 128, memory_size = 1, results = BarePair<K, G>::results;
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
              total += FmmP2PTeam<K, G, T>::part_of(launch, cut.first + p * cut.splits + k, c)[m * piece_targets + j];
            T* const out = launch.result + (c * results + m) * launch.stride + piece.first + j;
            *out = add ? *out + total : total;
          }
        }
    });
  }
};

}  // namespace nearfar
