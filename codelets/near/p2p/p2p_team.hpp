// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/launch_list.hpp"
#include "codelets/near/p2p/near_layers.hpp"
#include "codelets/near/p2p/p2p_body.hpp"
#include "codelets/spectral/tables.hpp"

#include <cstdint>

namespace nearfar {

/// Pointers of a P2P task.
template <class T>
struct P2PLaunch {
  P2PArgs args;
  EwaldTables<T> const* tables = nullptr;
  T const* target = nullptr;
  std::int32_t const* offset = nullptr;
  std::int64_t stride = 0;
  T* result = nullptr;  ///< of the chunk, a row for each point
};

/// What the threads of a GPU's warp do for a tile: targets that follow each other, each of them several times
/// (codelets/common/gpu_warp.hpp). Thread by thread they walk through the columns of cells around, and through the
/// sources in them, to find those that are near any of the targets by their rough positions. As soon as there is one
/// for every thread, their records go through shared memory, and every copy of a target sums a slice of them.
template <Kernel K, bool Gradient, class T, int warp, int tile>
struct P2PTeam {
  using Pair = NearPair<K, Gradient>;
  static constexpr int threads = warp, targets = tile, slices = threads / targets,
                       at_once = 2;  ///< pairs of a thread, which share the coefficients of the polynomials
  static constexpr int resident = sizeof(T) == 8 ? 16 : 20;  ///< blocks on a multiprocessor
  static constexpr int width = packed_width(Pair::strengths), row = result_row(Pair::results);
  static constexpr int max_runs = 2 * threads;

  /// A source that may be near: a place in a run.
  struct Place {
    int run, at;
  };
  struct State {
    T x[3], u[row];
    bool summed;  ///< whether this target is in the column that is summed
    // Sources that it looks at now and next; rough positions are asked for before they are needed.
    Place now, next;
    float rough[3], rough_next[3];
  };
  struct Run {
    float const* rough;
    T const* packed;
    std::int64_t stride;
    T shift[3];
    int length;
  };
  struct Memory {
    NearLayers<Pair, T> near;
    alignas(16) float rough[targets][4];  ///< of the tile; targets outside the column are where its first is
    alignas(16) T source[3 + Pair::strengths][threads];
    T sum[row][threads];
    Run run[max_runs];
    Place waiting[2 * threads];
    int cell[targets][3], stretches[threads];
  };

  static int blocks(PointRange const& chunk) { return (chunk.count() + targets - 1) / targets; }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, P2PLaunch<T> const& launch, LaunchList<SourceView<T>> const& sources,
                                   int block, Memory& memory) {
    Tile<Team>{team, launch, sources, memory, block * targets}.run();
  }

 private:
  /// The cell that holds a point of the block: the last that begins at it or before.
  NEARFAR_FUNCTION static int cell_of_point(std::int32_t const* offset, int cells, int point) {
    int low = 0, high = cells;
    while (high - low > 1) {
      int const middle = (low + high) / 2;
      (offset[middle] <= point ? low : high) = middle;
    }
    return low;
  }
  NEARFAR_FUNCTION static int bits_in(std::uint64_t bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    return threads == 32 ? __popc(unsigned(bits)) : __popcll(bits);
#else
    return __builtin_popcountll(bits);
#endif
  }
  NEARFAR_FUNCTION static std::uint64_t bits_before(int t) { return (std::uint64_t(1) << t) - 1; }

  template <class Team>
  struct Tile {
    Team& team;
    P2PLaunch<T> const& launch;
    LaunchList<SourceView<T>> const& sources;
    Memory& memory;
    int first;        ///< target, in the chunk
    int waiting = 0;  ///< sources that are near and not yet summed

    NEARFAR_FUNCTION void run() {
      begin();
      int const left = launch.args.chunk.count() - first, count = left < targets ? left : targets;
      for (int i = 0; i < count; ++i) {
        int const* const cell = memory.cell[i];
        auto const with = [&](int k) { return are_together(memory.cell[i], memory.cell[k]); };
        bool done = false;
        for (int k = 0; k < i; ++k) done = done || with(k);
        if (done) continue;
        int low = cell[2], high = low;
        for (int k = i + 1; k < count; ++k) {
          if (!with(k)) continue;
          low = memory.cell[k][2] < low ? memory.cell[k][2] : low;
          high = memory.cell[k][2] > high ? memory.cell[k][2] : high;
        }
        take_targets(i, count);
        sum_around(memory.cell[i], low, high);
      }
      end();
    }

    /// In one column of cells, both or none apart (core/geometry/near_frame.hpp).
    NEARFAR_FUNCTION bool are_together(int const* a, int const* b) const {
      Cells const& c = launch.args.cells;
      return a[0] == b[0] && a[1] == b[1] && is_apart(c, 2, a[2]) == is_apart(c, 2, b[2]);
    }

    NEARFAR_FUNCTION void begin() {
      team.step([&](int t, State& s) {
        memory.near.take(launch.tables->near, t, threads);
        P2PArgs const& args = launch.args;
        int const i = first + t % targets, last = args.chunk.count() - 1,
                  target = args.chunk.first + (i < last ? i : last);
        for (int d = 0; d < 3; ++d) s.x[d] = launch.target[d * launch.stride + target];
        for (T& u : s.u) u = T(0);
        if (t < targets)
          cell_of_block(args.cells, args.block,
                        cell_of_point(launch.offset, cells_of_block(args.cells, args.block), target), memory.cell[t]);
      });
    }

    /// Those of the tile's that are in the column of target `i`.
    NEARFAR_FUNCTION void take_targets(int i, int count) {
      team.step([&](int t, State& s) {
        int const k = t % targets;
        s.summed = k < count && are_together(memory.cell[i], memory.cell[k]);
        int const target = launch.args.chunk.first + first + (s.summed ? k : i);
        for (int d = 0; d < 3 && t < targets; ++d)
          memory.rough[t][d] = float(launch.target[d * launch.stride + target]);
      });
    }

    /// For targets in cells low .. high of a column of cells.
    NEARFAR_FUNCTION void sum_around(int const* cell, int low, int high) {
      Cells const& cells = launch.args.cells;
      int const x = cell[0], y = cell[1], across = 2 * cells.reach(1) + 1, columns = (2 * cells.reach(0) + 1) * across;
      auto const view = [&](int neighbour) { return sources.has(neighbour) ? sources[neighbour] : SourceView<T>{}; };
      // Calls visit(source, first cell, length, shift) for each stretch of column number i.
      auto const stretches = [&](int i, auto const& visit) {
        Column column;
        if (i >= columns || !find_column(cells, x, y, i / across - cells.reach(0), i % across - cells.reach(1), column))
          return;
        for_each_stretch<T>(launch.args, column, low - column.reach, high + column.reach, low, view,
                            [&](auto const& source, int begin, int, int length, T const* shift) {
                              visit(source, source.offset[begin], source.offset[begin + length], shift);
                            });
      };
      for (int from = 0; from < columns; from += threads) {
        team.step([&](int t, State&) {
          int count = 0;
          stretches(from + t, [&](auto const&, int, int, T const*) { ++count; });
          memory.stretches[t] = count;
        });
        int count = 0;
        for (int t = 0; t < threads; ++t) count += memory.stretches[t];
        for (int done = 0; done < count; done += max_runs) {
          team.step([&](int t, State&) {
            int to = -done;
            for (int k = 0; k < t; ++k) to += memory.stretches[k];
            stretches(from + t, [&](auto const& source, int begin, int end, T const* shift) {
              if (to >= 0 && to < max_runs)
                memory.run[to] = {source.rough + begin,
                                  source.packed + std::int64_t(begin) * width,
                                  source.stride,
                                  {shift[0], shift[1], shift[2]},
                                  end - begin};
              ++to;
            });
          });
          find(count - done < max_runs ? count - done : max_runs);
        }
      }
    }

    /// Among the sources of so many runs.
    NEARFAR_FUNCTION void find(int runs) {
      float const limit = rough_limit(launch.args.cells);
      auto const look_at_next = [&](State& s) {
        while (s.next.run < runs && s.next.at >= memory.run[s.next.run].length)
          s.next.at -= memory.run[s.next.run++].length;
        if (s.next.run >= runs) return;
        Run const& run = memory.run[s.next.run];
        for (int d = 0; d < 3; ++d) s.rough_next[d] = run.rough[d * run.stride + s.next.at] + float(run.shift[d]);
      };
      team.step([&](int t, State& s) {
        s.next = {0, t};
        look_at_next(s);
      });
      while (team.vote([&](int, State const& s) { return s.next.run < runs; }) != 0) {
        std::uint64_t const near = team.vote([&](int, State& s) {
          s.now = s.next;
          for (int d = 0; d < 3; ++d) s.rough[d] = s.rough_next[d];
          s.next.at += threads;
          look_at_next(s);
          float least = limit;
          for (int k = 0; k < targets; ++k) {
            float const dx = s.rough[0] - memory.rough[k][0], dy = s.rough[1] - memory.rough[k][1],
                        dz = s.rough[2] - memory.rough[k][2], r2 = dx * dx + dy * dy + dz * dz;
            least = r2 < least ? r2 : least;
          }
          return s.now.run < runs && least < limit;
        });
        team.step([&](int t, State& s) {
          if (near >> t & 1) memory.waiting[waiting + bits_in(near & bits_before(t))] = s.now;
        });
        waiting += bits_in(near);
        if (waiting < threads) continue;
        sum(threads);
        waiting -= threads;
        team.step([&](int t, State&) {
          if (t < waiting) memory.waiting[t] = memory.waiting[t + threads];
        });
      }
      sum(waiting);
      waiting = 0;
    }

    NEARFAR_FUNCTION void sum(int count) {
      constexpr int together = slices * at_once;
      int const padded = (count + together - 1) / together * together;
      if (count == 0) return;
      team.step([&](int t, State&) {
        if (t < count) load(memory.waiting[t], t);
        else if (t < padded)
          for (auto& number : memory.source) number[t] = T(0);
      });
      team.step([&](int t, State& s) {
        NEARFAR_DEVICE_UNROLL(1)
        for (int i = t / targets; i < padded; i += together) {
          T r[at_once][3], r2[at_once], inverse[at_once], factor[at_once][Pair::factor_count];
          for (int n = 0; n < at_once; ++n) {
            for (int d = 0; d < 3; ++d) r[n][d] = s.x[d] - memory.source[d][i + n * slices];
            r2[n] = r[n][0] * r[n][0] + r[n][1] * r[n][1] + r[n][2] * r[n][2];
            inverse[n] = r2[n] > 0 ? inverse_root(r2[n]) : T(0);
          }
          near_factors<Pair, at_once>(memory.near, r2, inverse, factor);
          for (int n = 0; n < at_once; ++n) {
            bool const within = s.summed && r2[n] < memory.near.cutoff_squared;
            T strength[Pair::strengths];
            for (int m = 0; m < Pair::strengths; ++m) strength[m] = memory.source[3 + m][i + n * slices];
            for (T& f : factor[n]) f = within ? f : T(0);
            Pair::add(factor[n], r[n][0], r[n][1], r[n][2], strength, s.u);
          }
        }
      });
    }
    NEARFAR_FUNCTION void load(Place const& place, int to) {
      constexpr int together = 16 / sizeof(T), numbers = 3 + Pair::strengths;
      struct alignas(16) Pack {
        T number[together];
      };
      Run const& run = memory.run[place.run];
      T const* const record = run.packed + std::int64_t(place.at) * width;
      for (int i = 0; i < numbers; i += together) {
        Pack const pack = *reinterpret_cast<Pack const*>(record + i);
        for (int n = 0; n < together && i + n < numbers; ++n)
          memory.source[i + n][to] = i + n < 3 ? pack.number[n] + run.shift[i + n] : pack.number[n];
      }
    }

    NEARFAR_FUNCTION void end() {
      team.step([&](int t, State& s) {
        for (int m = 0; m < row; ++m) memory.sum[m][t] = s.u[m];
      });
      team.step([&](int t, State&) {
        int const i = first + t;
        if (t >= targets || i >= launch.args.chunk.count()) return;
        for (int m = 0; m < row; ++m) {
          T total = T(0);
          for (int s = 0; s < slices; ++s) total += memory.sum[m][s * targets + t];
          T* const out = launch.result + std::int64_t(i) * row + m;
          *out = sources.first > 0 ? *out + total : total;
        }
      });
    }
  };
};

}  // namespace nearfar
