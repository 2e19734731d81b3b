// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/laboratory/pair_set.hpp"

namespace nearfar {

/// What the threads of a GPU block do for a tile of targets (codelets/common/gpu/gpu_team.hpp). Each target has `parts`
/// threads, which take sources in turn. Sources are read from global memory, or copied to shared memory in tiles.
template <class F, class T, bool shared, int parts>
struct PairTeam {
  static constexpr int threads = 128, targets = threads / parts, tile = threads;
  static constexpr int width = F::dimensions + F::strengths;  ///< numbers of a source
  static constexpr int tile_size = shared ? tile * width : 1, sums_size = parts > 1 ? threads *F::results : 1;
  static constexpr int memory_size = tile_size > sums_size ? tile_size : sums_size;

  struct Launch {
    PairSet<T> set;
    F function;
  };
  struct State {
    T x[F::dimensions];
    PairSums<F, T> sums;
  };

  static int blocks(std::int64_t count) { return int((count + targets - 1) / targets); }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, Launch const& launch, int block, T* memory) {
    PairSet<T> const& set = launch.set;
    std::int64_t const first = std::int64_t(block) * targets;
    team.step([&](int t, State& s) {
      std::int64_t const i = first + t % targets;
      load_row<F::dimensions>(set.position, set.count, i < set.count ? i : 0, s.x);
      s.sums = {};
    });
    if constexpr (shared) sum_by_tiles(team, launch, memory);
    else
      team.step([&](int t, State& s) {
        for (std::int64_t j = t / targets; j < set.count; j += parts) add_source(launch.function, set, s.x, j, s.sums);
      });
    if constexpr (parts > 1) add_parts(team, memory);
    team.step([&](int t, State& s) {
      if (t < targets && first + t < set.count) put_sums(set, first + t, s.sums);
    });
  }

 private:
  template <class Team>
  NEARFAR_FUNCTION static void sum_by_tiles(Team& team, Launch const& launch, T* memory) {
    PairSet<T> const& set = launch.set;
    for (std::int64_t from = 0; from < set.count; from += tile) {
      int const sources = set.count - from < tile ? int(set.count - from) : tile;
      team.step([&](int t, State&) {
        if (t >= sources) return;
        load_row<F::dimensions>(set.position, set.count, from + t, memory + t * width);
        load_row<F::strengths>(set.strength, set.count, from + t, memory + t * width + F::dimensions);
      });
      team.step([&](int t, State& s) {
        for (int j = t / targets; j < sources; j += parts)
          s.sums.add(launch.function, s.x, memory + j * width, memory + j * width + F::dimensions);
      });
    }
  }

  /// The first thread of each target gets the total.
  template <class Team>
  NEARFAR_FUNCTION static void add_parts(Team& team, T* memory) {
    team.step([&](int t, State& s) {
      for (int m = 0; m < F::results; ++m) memory[m * threads + t] = s.sums.at[m];
    });
    team.step([&](int t, State& s) {
      if (t >= targets) return;
      for (int m = 0; m < F::results; ++m)
        for (int part = 1; part < parts; ++part) s.sums.at[m] += memory[m * threads + part * targets + t];
    });
  }
};

}  // namespace nearfar
