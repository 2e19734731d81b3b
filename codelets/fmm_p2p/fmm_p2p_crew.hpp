// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm_args.hpp"
#include "codelets/fmm_p2p/pair_sum.hpp"
#include "codelets/launch_list.hpp"
#include "codelets/leaf_pieces.hpp"

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

  /// Some of them find nothing to do.
  int blocks() const { return leaves + pair_pieces + int(stride) / piece_targets; }

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

/// What the GPU threads of a block do for one piece of a leaf (codelets/gpu_crew.hpp): its targets, each several times,
/// share them; the sources come through shared memory, and each copy of a target takes another slice of them.
template <Kernel K, bool G, class T>
struct FmmP2PCrew {
  using Sum = PairSum<T, 1, K, G>;
  using Pair = BarePair<K, G>;
  static constexpr int threads = 128, tile = 2 * threads, numbers = 3 + Pair::strengths;
  static constexpr int room = numbers * tile > Pair::results* threads ? numbers* tile : Pair::results* threads;
  static constexpr int memory_size = room + 1;  ///< numbers of T

  /// Which source is next: number `done` of a run.
  struct Place {
    int item, done;
  };
  struct State {
    Sum sum;
    Place next;
    int slice;
  };

  template <class Crew>
  NEARFAR_FUNCTION static void run(Crew& crew, FmmP2PLaunch<T> const& launch, LaunchList<PairSources<T>> const& sources,
                                   int block, T* memory) {
    PairTable<PointRun> const table(launch.table);
    int const leaf = bisect(launch.leaves, [&](int i) { return table.first_piece(i) <= block; });
    int const first = table.first_piece(leaf), pieces = table.first_piece(leaf + 1) - first;
    if (block - first >= pieces) return;
    LeafPiece const piece = leaf_piece(launch.leaf[leaf], leaf, pieces, block - first);
    if (piece.first == piece.last) return;
    for (int c = 0; c < launch.args.vectors; ++c) sum(crew, launch, sources, piece, c, memory);
  }

 private:
  template <class Crew>
  NEARFAR_FUNCTION static void sum(Crew& crew, FmmP2PLaunch<T> const& launch, LaunchList<PairSources<T>> const& sources,
                                   LeafPiece const& piece, int c, T* memory) {
    FmmP2PArgs const& args = launch.args;
    PairTable<PointRun> const table(launch.table);
    Range const range = table.range(piece.leaf);
    int const targets = piece.last - piece.first, slices = threads / targets;
    crew.step([&](int t, State& s) {
      s.slice = t / targets;
      s.next = {range.first, 0};
      int const j = piece.first + t % targets;
      s.sum.begin(launch.target, launch.stride, j, j + 1);
    });
    T const at_rest[3] = {};
    T* const filled = memory + room;
    int count = tile;
    while (count == tile) {
      crew.step([&](int t, State& s) {
        int const here = fill(table, range, sources, s.next, [&](PointRun const& run, int first, int at, int taken) {
          for (int n = t; n < at + taken; n += threads) {
            if (n < at) continue;
            PairSources<T> const from = sources[run.buffer];
            T const* const strength = from.strength + c * Pair::strengths * from.stride;
            int const j = first + n - at;
            for (int d = 0; d < 3; ++d)
              memory[d * tile + n] =
                  from.position[d * from.stride + j] + T(run.image[d] * (args.edge * args.aspect[d]));
            for (int m = 0; m < Pair::strengths; ++m) memory[(3 + m) * tile + n] = strength[m * from.stride + j];
          }
        });
        if (t == 0) *filled = T(here);
      });
      count = int(*filled);
      crew.step([&](int, State& s) {
        if (s.slice >= slices) return;
        s.sum.add(memory, memory + 3 * tile, tile, count * s.slice / slices, count * (s.slice + 1) / slices, at_rest);
      });
    }
    crew.step([&](int t, State& s) {
      for (int m = 0; m < Pair::results; ++m) memory[m * threads + t] = s.sum.u[0][m];
    });
    crew.step([&](int t, State&) {
      if (t >= targets) return;
      for (int m = 0; m < Pair::results; ++m) {
        T total = T(0);
        for (int q = 0; q < slices; ++q) total += memory[m * threads + q * targets + t];
        T* const out = launch.result + (c * Pair::results + m) * launch.stride + piece.first + t;
        *out = sources.first > 0 ? *out + total : total;
      }
    });
  }

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
