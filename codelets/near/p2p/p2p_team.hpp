// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/near/p2p/near_layers.hpp"
#include "codelets/near/p2p/p2p_launch.hpp"
#include "core/ewald/split/near_tile.hpp"
#include "core/math/function_apart.hpp"

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace nearfar {

/// What the threads of a GPU warp do for a tile: consecutive targets, several copies of each
/// (codelets/common/gpu/gpu_warp.hpp). Each thread walks through the columns of cells around and the sources in them,
/// to find those near any of the targets by their rough positions. As soon as there is one for every thread, their
/// packed sources go through shared memory, and every copy of a target sums a slice of them. Pairs are summed in
/// precision A, those too close for that in T.
template <class K, class T, int warp, int tile, class A = T, int together = 2>
struct P2PTeam {
  using Pair = typename K::Near;
  using Packed = PackedSource<T, A>;
  static constexpr int threads = warp, targets = tile, slices = threads / targets,
                       at_once = together;  ///< pairs of a thread that share loaded coefficients of the polynomials
  static constexpr int resident = sizeof(A) == 8 ? 16 : 20;  ///< blocks on a multiprocessor
  static constexpr int parts = Packed::in_parts ? 2 : 1;     ///< of a coordinate, for pairs that are not very close
  static constexpr int width = Packed::width(K::strengths), row = result_row(K::results);
  static constexpr int max_runs = 2 * threads;
  /// Numbers that are read at once, and how many such packs a source takes in
  /// shared memory: an odd number, so that threads access different banks.
  static constexpr int in_pack = 16 / int(sizeof(A)),
                       packs = (Packed::first_strength + K::strengths + in_pack - 1) / in_pack | 1;
  struct alignas(16) Pack {
    A number[in_pack];
  };

  /// A source that may be near: a position in a run.
  struct Place {
    int run, at;
  };
  struct State {
    A x[parts][3];  ///< as sources have it
    A u[row];
    int stretches;  ///< of its column, beyond those taken
    bool summed;    ///< whether this target is in the column being summed
    bool near;      ///< whether the source that it tested last is near any target
    // The sources that it tests now and next; rough positions are loaded before they are needed.
    Place now, next;
    float rough[3], rough_next[3];
  };
  struct Run {
    float const* rough;
    A const* packed;
    std::int64_t stride;
    T shift[3];
    A part[parts][3];  ///< of the shift
    int length;
  };
  struct Memory {
    NearLayers<Pair, A> near;
    float origin[3];  ///< rough position of the first target in the column
    /// Of the targets -2 times their rough positions from there, and the squares of their distances. Targets outside
    /// the column repeat its first one.
    alignas(16) float rough[targets][4];
    Pack source[threads][packs];
    A sum[row][threads];
    T close[Packed::in_parts ? row : 1][threads];  ///< sums of pairs too close for A
    Run run[max_runs];
    Place waiting[2 * threads];
    int cell[targets][3];
  };

  static int blocks(PointRange const& chunk) { return (chunk.count() + targets - 1) / targets; }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, P2PLaunch<T> const& launch, LaunchList<SourceView<A>> const& sources,
                                   int block, Memory& memory) {
    Tile<Team>{team, launch, sources, memory, block * targets}.run();
  }

 private:
  NEARFAR_FUNCTION static int bits_in(std::uint64_t bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    return threads == 32 ? __popc(unsigned(bits)) : __popcll(bits);
#else
    return __builtin_popcountll(bits);
#endif
  }
  using Bits = std::conditional_t<threads == 32, std::uint32_t, std::uint64_t>;
  NEARFAR_FUNCTION static Bits bits_before(int t) { return (Bits(1) << t) - 1; }

  /// Sums the pair of thread t's target with source k of those waiting, in T; returns false without summing if they are
  /// at distance 0, as a target is from itself. Takes no kernel argument by reference, which would move all of them to
  /// local memory.
  NEARFAR_FUNCTION_APART static bool add_close(Memory& memory, NearKernel<T> const& near, T const* target,
                                               std::int64_t stride, int t, int k) {
    Place const& place = memory.waiting[k];
    Run const& run = memory.run[place.run];
    A const* const record = run.packed + std::int64_t(place.at) * width;
    T r[3], strength[K::strengths], factor[1][Pair::factor_count], u[row] = {};
    for (int d = 0; d < 3; ++d) r[d] = target[d * stride] - run.shift[d] - Packed::position(record, K::strengths, d);
    T const r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    if (!(r2 > 0)) return false;
    T const inverse = inverse_root(r2);
    near_factors<Pair, 1>(near, &r2, &inverse, factor);
    for (int m = 0; m < K::strengths; ++m) strength[m] = T(record[Packed::first_strength + m]);
    Pair::add(factor[0], r[0], r[1], r[2], strength, u);
    for (int m = 0; m < row; ++m) memory.close[m][t] += u[m];
    return true;
  }

  template <class Team>
  struct Tile {
    Team& team;
    P2PLaunch<T> const& launch;
    LaunchList<SourceView<A>> const& sources;
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

    /// Within one column of cells, all of which are apart (core/geometry/near_frame.hpp) or none.
    NEARFAR_FUNCTION bool are_together(int const* a, int const* b) const {
      Cells const& c = launch.args.cells;
      return a[0] == b[0] && a[1] == b[1] && is_apart(c, 2, a[2]) == is_apart(c, 2, b[2]);
    }

    NEARFAR_FUNCTION void begin() {
      team.step([&](int t, State& s) {
        memory.near.take(launch.tables->template near_in<A>(), t, threads);
        P2PArgs const& args = launch.args;
        int const target = target_of(t);
        for (int d = 0; d < 3; ++d) split(launch.target[d * launch.stride + target], s.x, d);
        for (A& u : s.u) u = A(0);
        if constexpr (Packed::in_parts)
          for (auto& of_component : memory.close) of_component[t] = T(0);
        if (t < targets)
          cell_of_block(args.cells, args.block,
                        cell_of_point(launch.offset, cells_of_block(args.cells, args.block), target), memory.cell[t]);
      });
    }

    /// The target of thread t; past the last target, that one.
    NEARFAR_FUNCTION int target_of(int t) const {
      int const i = first + t % targets, last = launch.args.chunk.count() - 1;
      return launch.args.chunk.first + (i < last ? i : last);
    }
    NEARFAR_FUNCTION static void split(T x, A (*part)[3], int d) {
      for (int p = 0; p < parts; ++p) part[p][d] = Packed::take_part(x);
    }

    /// The targets of the tile that are in the same column as target `i`.
    NEARFAR_FUNCTION void take_targets(int i, int count) {
      team.step([&](int t, State& s) {
        int const k = t % targets;
        s.summed = k < count && are_together(memory.cell[i], memory.cell[k]);
        int const own = launch.args.chunk.first + first, target = own + (s.summed ? k : i);
        if (t >= targets) return;
        float square = 0;
        for (int d = 0; d < 3; ++d) {
          T const* const x = launch.target + d * launch.stride;
          float const origin = float(x[own + i]), at = float(x[target]) - origin;
          if (t == 0) memory.origin[d] = origin;
          memory.rough[t][d] = -2 * at;
          square += at * at;
        }
        memory.rough[t][3] = square;
      });
    }

    /// For targets in the cells low .. high of a column.
    NEARFAR_FUNCTION void sum_around(int const* cell, int low, int high) {
      Cells const& cells = launch.args.cells;
      ColumnReach const& reach = launch.reach;
      int const x = cell[0], y = cell[1], across = 2 * reach.cells[1] + 1, columns = (2 * reach.cells[0] + 1) * across;
      auto const view = [&](int neighbour) { return sources.has(neighbour) ? sources[neighbour] : SourceView<A>{}; };
      // The runs of column number i: its stretches number 2 round and 2 round + 1. Returns how many it has.
      auto const take_runs = [&](int i, int round, int t) {
        Run *const first = &memory.run[t], *const second = &memory.run[threads + t];
        first->length = second->length = 0;
        int count = 0;
        Column column;
        if (i >= columns ||
            !find_column(cells, reach, x, y, i / across - reach.cells[0], i % across - reach.cells[1], column))
          return count;
        for_each_stretch<T>(launch.args, column, low + column.low, high + column.high, low, view,
                            [&](auto const& source, int begin, int, int length, T const* shift) {
                              int const number = count++ - 2 * round;
                              if (number != 0 && number != 1) return;
                              Run& run = number == 0 ? *first : *second;
                              int const from = source.offset[begin];
                              run.rough = source.rough + from;
                              run.packed = source.packed + std::int64_t(from) * width;
                              run.stride = source.stride;
                              run.length = source.offset[begin + length] - from;
                              for (int d = 0; d < 3; ++d) {
                                run.shift[d] = shift[d];
                                split(shift[d], run.part, d);
                              }
                            });
        return count;
      };
      for (int from = 0; from < columns; from += threads) {
        // Most columns are one stretch, or two where they cross a face of the box or of a block.
        int const here = columns - from < threads ? columns - from : threads;
        bool more = true;
        for (int round = 0; more; ++round) {
          team.step([&](int t, State& s) { s.stretches = take_runs(from + t, round, t) - 2 * round; });
          bool const two = team.vote([](int, State const& s) { return s.stretches > 1; }) != 0;
          more = team.vote([](int, State const& s) { return s.stretches > 2; }) != 0;
          find(two ? 2 * threads : here);
        }
      }
    }

    /// Among the sources of this many runs.
    NEARFAR_FUNCTION void find(int runs) {
      float square = 0;
      for (auto const& target : memory.rough) square = target[3] > square ? target[3] : square;
      // Squares of distances are sums of larger squares: of a near source's distance from the origin, and a target's.
      float const farthest = 2 * sqrt(square) + float(launch.args.cells.cutoff),
                  limit = launch.rough_limit + 0x1p-20f * farthest * farthest;
      auto const look_at_next = [&](State& s) {
        while (s.next.run < runs && s.next.at >= memory.run[s.next.run].length)
          s.next.at -= memory.run[s.next.run++].length;
        if (s.next.run >= runs) return;
        Run const& run = memory.run[s.next.run];
        for (int d = 0; d < 3; ++d) s.rough_next[d] = run.rough[d * run.stride + s.next.at] + float(run.part[0][d]);
      };
      team.step([&](int t, State& s) {
        s.next = {0, t};
        look_at_next(s);
      });
      for (bool more = true; more;) {
        more = team.vote([&](int, State const& s) { return s.next.run < runs; }) != 0;
        if (more) waiting += look(runs, limit, look_at_next);
        if (more && waiting < threads) continue;
        int const count = waiting < threads ? waiting : threads;
        sum(count);
        waiting -= count;
        team.step([&](int t, State&) {
          if (t < waiting) memory.waiting[t] = memory.waiting[t + threads];
        });
      }
    }

    /// Counts the near sources among those that the threads test; they are queued behind those waiting.
    template <class LookAtNext>
    NEARFAR_FUNCTION int look(int runs, float limit, LookAtNext const& look_at_next) {
      auto const near = Bits(team.vote([&](int, State& s) {
        s.now = s.next;
        for (int d = 0; d < 3; ++d) s.rough[d] = s.rough_next[d];
        s.next.at += threads;
        look_at_next(s);
        float const x = s.rough[0] - memory.origin[0], y = s.rough[1] - memory.origin[1],
                    z = s.rough[2] - memory.origin[2];
        float least = limit;
        for (float const(&target)[4] : memory.rough)
          least = fminf(least, x * target[0] + (y * target[1] + (z * target[2] + target[3])));
        s.near = s.now.run < runs && x * x + y * y + z * z + least < limit;
        return s.near;
      }));
      team.step([&](int t, State& s) {
        if (s.near) memory.waiting[waiting + bits_in(near & bits_before(t))] = s.now;
      });
      return bits_in(near);
    }

    /// Sums the first waiting sources. Called from one place only: its code is long, and warps are everywhere in it.
    NEARFAR_FUNCTION void sum(int count) {
      constexpr int step = slices * at_once;
      int const padded = (count + step - 1) / step * step;
      if (count == 0) return;
      team.step([&](int t, State&) {
        if (t < count) load(memory.waiting[t], t);
        else if (t < padded) {
          for (Pack& pack : memory.source[t]) pack = {};
          memory.source[t][0].number[0] = far_away<A>;
        }
      });
      team.step([&](int t, State& s) {
        A const limit = memory.near.cutoff_squared, close = limit * A(0x1p-20);
        NEARFAR_DEVICE_UNROLL(1)
        for (int i = t / targets; i < padded; i += step) {
          A r[at_once][3], r2[at_once], inverse[at_once], factor[at_once][Pair::factor_count];
          for (int n = 0; n < at_once; ++n) {
            A x[packs * in_pack];
            read(memory.source[i + n * slices], 0, Packed::first_strength, x);
            for (int d = 0; d < 3; ++d) {
              r[n][d] = s.x[0][d] - x[d];
              if constexpr (Packed::in_parts) r[n][d] += s.x[1][d] - x[3 + d];
            }
            r2[n] = r[n][0] * r[n][0] + r[n][1] * r[n][1] + r[n][2] * r[n][2];
          }
          if constexpr (Packed::in_parts) {
            bool any = false;
            for (A const square : r2) any = any || square < close;
            if (any)
              for (int n = 0; n < at_once; ++n)
                if (int const k = i + n * slices;
                    s.summed && k < count && r2[n] < close &&
                    add_close(memory, launch.tables->near, launch.target + target_of(t), launch.stride, t, k))
                  r2[n] = 2 * limit;
          }
          for (int n = 0; n < at_once; ++n) {
            A const root = Packed::in_parts ? inverse_root_of_normal(r2[n]) : inverse_root(r2[n]);
            inverse[n] = r2[n] > 0 ? root : A(0);
          }
          near_factors<Pair, at_once>(memory.near, r2, inverse, factor);
          for (int n = 0; n < at_once; ++n) {
            bool const within = s.summed && r2[n] < limit;
            for (A& f : factor[n]) f = within ? f : A(0);
            A source[packs * in_pack];
            read(memory.source[i + n * slices], Packed::first_strength, Packed::first_strength + K::strengths, source);
            Pair::add(factor[n], r[n][0], r[n][1], r[n][2], source + Packed::first_strength, s.u);
          }
        }
      });
    }
    /// Copies numbers first .. last - 1 of a source, in whole packs.
    NEARFAR_FUNCTION static void read(Pack const* source, int first, int last, A* number) {
      for (int k = first / in_pack; k * in_pack < last; ++k) {
        Pack const pack = source[k];
        for (int m = 0; m < in_pack; ++m) number[k * in_pack + m] = pack.number[m];
      }
    }
    NEARFAR_FUNCTION void load(Place const& place, int to) {
      Run const& run = memory.run[place.run];
      Pack const* const record = reinterpret_cast<Pack const*>(run.packed + std::int64_t(place.at) * width);
      A number[packs * in_pack] = {};
      for (int k = 0; k < packs && k < width / in_pack; ++k) {
        Pack const pack = record[k];
        for (int m = 0; m < in_pack; ++m) number[k * in_pack + m] = pack.number[m];
      }
      for (int d = 0; d < 3; ++d) {
        A const given = number[d], shift = run.part[0][d], sum = given + shift;
        number[d] = sum;
        // The rounding error goes to the second part (Knuth's two-sum).
        if constexpr (Packed::in_parts) {
          A const added = sum - given;
          number[3 + d] += run.part[1][d] + ((given - (sum - added)) + (shift - added));
        }
      }
      for (int k = 0; k < packs; ++k) {
        Pack pack;
        for (int m = 0; m < in_pack; ++m) pack.number[m] = number[k * in_pack + m];
        memory.source[to][k] = pack;
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
          for (int s = 0; s < slices; ++s) {
            total += T(memory.sum[m][s * targets + t]);
            if constexpr (Packed::in_parts) total += memory.close[m][s * targets + t];
          }
          T* const out = launch.result + std::int64_t(i) * row + m;
          *out = sources.first > 0 ? *out + total : total;
        }
      });
    }
  };
};

}  // namespace nearfar
