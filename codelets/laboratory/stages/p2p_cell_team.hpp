// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/p2p/p2p_team.hpp"

namespace nearfar {

/// The near field as studies of GPUs write it (docs/laboratory.md): the threads of a GPU block do the targets of a
/// cell, against all runs of sources in the cells around. `slices` threads share a target, each with every so many-th
/// source; where sources are `shared`, the threads first bring as many of them as they are to the memory of the block.
/// Pairs are looked at one by one, however far apart, and summed in T; P2PTeam is what solves run unless told
/// otherwise.
template <class K, class T, class A, int slices_, bool shared>
struct P2PCellTeam {
  using Pair = typename K::Near;
  static constexpr int threads = 32, slices = slices_, targets = threads / slices;
  static constexpr int resident = 16;  ///< blocks on a multiprocessor
  static constexpr int width = PackedSource<T, A>::width(K::strengths), row = result_row(K::results);

  struct State {
    T x[3], u[row];
  };
  struct Memory {
    A source[shared ? threads : 1][width];
    T sum[row][threads];
  };
  struct Launch {
    P2PLaunch<T> near;
    LaunchList<SourceView<A>> sources;
  };

  /// One for each cell of the block of targets.
  static int blocks(P2PArgs const& args) { return cells_of_block(args.cells, args.block); }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, Launch const& launch, int number, Memory* memory) {
    P2PArgs const& args = launch.near.args;
    std::int32_t const* const offset = launch.near.offset;
    int const low = offset[number] > args.chunk.first ? offset[number] : args.chunk.first,
              high = offset[number + 1] < args.chunk.last ? offset[number + 1] : args.chunk.last;
    if (low >= high) return;
    int cell[3];
    cell_of_block(args.cells, args.block, number, cell);
    auto const view = [&](int i) { return launch.sources.has(i) ? launch.sources[i] : SourceView<A>{}; };
    for (int first = low; first < high; first += targets) {
      Tile<Team> const tile{team, launch, *memory, first, high - first < targets ? high - first : targets};
      tile.begin();
      for_each_run<T>(args, cell, view, [&](SourceView<A> const& source, int from, int to, T const* shift) {
        if constexpr (shared) tile.sum_shared(source, from, to, shift);
        else tile.sum(source, from, to, shift);
      });
      tile.end();
    }
  }

 private:
  /// Some targets of the cell.
  template <class Team>
  struct Tile {
    Team& team;
    Launch const& launch;
    Memory& memory;
    int first, count;  ///< targets, by their number in the block

    NEARFAR_FUNCTION void begin() const {
      team.step([&](int t, State& s) {
        int const i = t % targets, target = first + (i < count ? i : count - 1);
        for (int d = 0; d < 3; ++d) s.x[d] = launch.near.target[d * launch.near.stride + target];
        for (T& u : s.u) u = T(0);
      });
    }
    NEARFAR_FUNCTION void sum(SourceView<A> const& source, int from, int to, T const* shift) const {
      team.step([&](int t, State& s) { sum_slice(source, from, to, shift, t, s); });
    }
    NEARFAR_FUNCTION void sum_shared(SourceView<A> const& source, int from, int to, T const* shift) const {
      for (int begin = from; begin < to; begin += threads) {
        int const some = to - begin < threads ? to - begin : threads;
        A const* const given = source.packed + std::int64_t(begin) * width;
        team.step([&](int t, State&) {
          for (int i = t; i < some * width; i += threads) (&memory.source[0][0])[i] = given[i];
        });
        team.step([&](int t, State& s) {
          SourceView<A> here;
          here.packed = &memory.source[0][0];
          sum_slice(here, 0, some, shift, t, s);
        });
      }
    }
    NEARFAR_FUNCTION void sum_slice(SourceView<A> const& source, int from, int to, T const* shift, int t,
                                    State& s) const {
      if (t % targets >= count) return;
      for (int j = from + t / targets; j < to; j += slices)
        p2p_run<K>(launch.near.tables->near, s.x, source, j, j + 1, shift, s.u);
    }
    NEARFAR_FUNCTION void end() const {
      team.step([&](int t, State& s) {
        for (int m = 0; m < row; ++m) memory.sum[m][t] = s.u[m];
      });
      team.step([&](int t, State&) {
        if (t >= count) return;
        for (int m = 0; m < row; ++m) {
          T total = T(0);
          for (int s = 0; s < slices; ++s) total += memory.sum[m][s * targets + t];
          T& out = launch.near.result[std::int64_t(first + t - launch.near.args.chunk.first) * row + m];
          out = launch.sources.first > 0 ? out + total : total;
        }
      });
    }
  };
};

}  // namespace nearfar
