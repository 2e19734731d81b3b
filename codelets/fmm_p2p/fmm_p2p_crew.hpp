// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm_args.hpp"
#include "codelets/fmm_p2p/pair_sum.hpp"
#include "codelets/launch_list.hpp"
#include "core/tree/tables.hpp"

namespace nearfar {

/// One source block of a task.
template <class T>
struct PairSources {
  T const* position = nullptr;
  T const* strength = nullptr;
  std::int64_t stride = 0;
};

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
  template <class Buffers>
  static PairSources<T> sources(Buffers const& b, int i) {
    return {b.template get<T const>(3, 2 * i), b.template get<T const>(3, 2 * i + 1), b.template size<T>(3, 2 * i) / 3};
  }
};

/// What the GPU threads of a block do for one leaf (codelets/gpu_crew.hpp): its targets, each several times, share
/// them; the sources come through shared memory, and each copy of a target takes another slice of them.
template <Kernel K, bool G, class T>
struct FmmP2PCrew {
  using Sum = PairSum<T, 1, K, G>;
  using Pair = BarePair<K, G>;
  static constexpr int threads = 256, tile = threads, numbers = 3 + Pair::strengths;
  static constexpr int most = numbers > Pair::results ? numbers : Pair::results;
  static constexpr int memory_size = most * threads;  ///< numbers of T

  struct State {
    Sum sum;
    int slice;
  };

  template <class Crew>
  NEARFAR_FUNCTION static void run(Crew& crew, FmmP2PLaunch<T> const& launch, LaunchList<PairSources<T>> const& sources,
                                   int i, T* memory) {
    Leaf const leaf = launch.leaf[i];
    for (int c = 0; c < launch.args.vectors; ++c)
      for (int first = leaf.first; first < leaf.last; first += threads)
        sum(crew, launch, sources, i, c, first, leaf.last - first < threads ? leaf.last - first : threads, memory);
  }

 private:
  template <class Crew>
  NEARFAR_FUNCTION static void sum(Crew& crew, FmmP2PLaunch<T> const& launch, LaunchList<PairSources<T>> const& sources,
                                   int i, int c, int first, int targets, T* memory) {
    FmmP2PArgs const& args = launch.args;
    PairTable<PointRun> const table(launch.table);
    Range const range = table.range(i);
    int const slices = threads / targets;
    crew.step([&](int t, State& s) {
      s.slice = t / targets;
      int const j = first + t % targets;
      s.sum.begin(launch.target, launch.stride, j, j + 1);
    });
    for (int k = range.first; k < range.first + range.count; ++k) {
      PointRun const run = table.item(k);
      if (!sources.has(run.buffer)) continue;
      PairSources<T> const from = sources[run.buffer];
      T const* const strength = from.strength + c * Pair::strengths * from.stride;
      T shift[3];
      for (int d = 0; d < 3; ++d) shift[d] = T(run.image[d] * (args.edge * args.aspect[d]));
      for (int j = run.first; j < run.last; j += tile) {
        int const count = run.last - j < tile ? run.last - j : tile;
        crew.step([&](int t, State&) {
          if (t >= count) return;
          for (int d = 0; d < 3; ++d) memory[d * tile + t] = from.position[d * from.stride + j + t];
          for (int m = 0; m < Pair::strengths; ++m) memory[(3 + m) * tile + t] = strength[m * from.stride + j + t];
        });
        crew.step([&](int, State& s) {
          if (s.slice >= slices) return;
          s.sum.add(memory, memory + 3 * tile, tile, count * s.slice / slices, count * (s.slice + 1) / slices, shift);
        });
      }
    }
    crew.step([&](int t, State& s) {
      for (int m = 0; m < Pair::results; ++m) memory[m * threads + t] = s.sum.u[0][m];
    });
    crew.step([&](int t, State&) {
      if (t >= targets) return;
      for (int m = 0; m < Pair::results; ++m) {
        T total = T(0);
        for (int q = 0; q < slices; ++q) total += memory[m * threads + q * targets + t];
        T* const out = launch.result + (c * Pair::results + m) * launch.stride + first + t;
        *out = sources.first > 0 ? *out + total : total;
      }
    });
  }
};

}  // namespace nearfar
