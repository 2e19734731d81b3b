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
  int parts = 1;  ///< of a leaf's targets: few leaves would leave the GPU idle

  static constexpr int blocks_wanted = 300;  // some for each multiprocessor of a large GPU

  /// Large leaves in many, small ones in some.
  static int parts_of(int leaves, int targets) {
    constexpr int usual = 16, few_targets = 32;
    int const wanted = blocks_wanted / std::max(1, leaves);
    return std::clamp(wanted, 1, std::max(usual, targets / few_targets / std::max(1, leaves)));
  }

  template <class Buffers>
  static FmmP2PLaunch of(Buffers const& b, FmmP2PArgs const& args) {
    int const leaves = int(b.template size<Leaf>(0));
    return {args,
            b.template get<Leaf const>(0),
            b.template get<std::int32_t const>(1),
            b.template get<T const>(2),
            b.template get<T>(4),
            b.template size<T>(2) / 3,
            leaves,
            parts_of(leaves, int(b.template size<T>(2) / 3))};
  }
  template <class Buffers>
  static PairSources<T> sources(Buffers const& b, int i) {
    return {b.template get<T const>(3, 2 * i), b.template get<T const>(3, 2 * i + 1), b.template size<T>(3, 2 * i) / 3};
  }
};

/// What the GPU threads of a block do for one leaf or a part of it (codelets/gpu_crew.hpp): its targets, each several
/// times, share them; the sources come through shared memory, and each copy of a target takes another slice of them.
template <Kernel K, bool G, class T>
struct FmmP2PCrew {
  using Sum = PairSum<T, 1, K, G>;
  using Pair = BarePair<K, G>;
  static constexpr int threads = 512, tile = threads, numbers = 3 + Pair::strengths;
  static constexpr int memory_size =  ///< numbers of T
      numbers * tile > Pair::results* threads ? numbers* tile : Pair::results* threads;

  struct State {
    Sum sum;
    int slice;
  };

  template <class Crew>
  NEARFAR_FUNCTION static void run(Crew& crew, FmmP2PLaunch<T> const& launch, LaunchList<PairSources<T>> const& sources,
                                   int block, T* memory) {
    int const i = block / launch.parts, part = block % launch.parts;
    Leaf const leaf = launch.leaf[i];
    int const targets = leaf.last - leaf.first, last = leaf.first + targets * (part + 1) / launch.parts;
    for (int c = 0; c < launch.args.vectors; ++c)
      for (int first = leaf.first + targets * part / launch.parts; first < last; first += threads)
        sum(crew, launch, sources, i, c, first, last - first < threads ? last - first : threads, memory);
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
    T const at_rest[3] = {};
    int const end = range.first + range.count;
    for (Place place{range.first, 0}; place.item != end;) {
      Place next = place;
      int const count = fill(table, range, sources, next, [](PointRun const&, int, int, int) {});
      crew.step([&](int t, State&) {
        Place mine = place;
        fill(table, range, sources, mine, [&](PointRun const& run, int first_source, int at, int taken) {
          if (t < at || t >= at + taken) return;
          PairSources<T> const from = sources[run.buffer];
          T const* const strength = from.strength + c * Pair::strengths * from.stride;
          int const j = first_source + t - at;
          for (int d = 0; d < 3; ++d)
            memory[d * tile + t] = from.position[d * from.stride + j] + T(run.image[d] * (args.edge * args.aspect[d]));
          for (int m = 0; m < Pair::strengths; ++m) memory[(3 + m) * tile + t] = strength[m * from.stride + j];
        });
      });
      crew.step([&](int, State& s) {
        if (s.slice >= slices) return;
        s.sum.add(memory, memory + 3 * tile, tile, count * s.slice / slices, count * (s.slice + 1) / slices, at_rest);
      });
      place = next;
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

  /// Which source is next: number `done` of a run.
  struct Place {
    int item, done;
  };
  /// Takes as many sources as a tile has room for: visit(run, first source, place in the tile, how many).
  template <class Visit>
  NEARFAR_FUNCTION static int fill(PairTable<PointRun> const& table, Range const& range,
                                   LaunchList<PairSources<T>> const& sources, Place& place, Visit const& visit) {
    int filled = 0;
    while (place.item != range.first + range.count && filled < tile) {
      PointRun const& run = table.item(place.item);
      int const left = sources.has(run.buffer) ? run.last - run.first - place.done : 0;
      int const taken = left < tile - filled ? left : tile - filled;
      if (taken > 0) visit(run, run.first + place.done, filled, taken);
      filled += taken;
      place.done += taken;
      if (taken == left) place = {place.item + 1, 0};
    }
    return filled;
  }
};

}  // namespace nearfar
