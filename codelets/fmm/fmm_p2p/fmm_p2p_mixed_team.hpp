// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/simd/lanes.hpp"
#include "codelets/fmm/fmm_p2p/close_pairs.hpp"
#include "codelets/fmm/fmm_p2p/fmm_p2p_launch.hpp"
#include "core/kernels/pairs/packed_source.hpp"
#include "core/math/function_apart.hpp"

namespace nearfar {

/// What the GPU threads of a block do for one piece of a leaf as FmmP2PTeam, with pairs in single precision
/// (close_pairs.hpp): strengths are multiplied by the unit of length, since all kernels but gradients fall off like
/// one over the distance.
template <class K>
struct FmmP2PMixedTeam {
  using T = double;
  using A = float;
  using Pair = typename K::Bare;
  using Parts = PackedSource<T, A>;
  static constexpr int each = 2;      ///< targets of a thread
  static constexpr int together = 2;  ///< sources whose pairs are checked at once for close ones
  static constexpr int threads = 128, tile = 2 * threads, sums = each * K::results;
  static constexpr int packs = (6 + K::strengths + 3) / 4;
  static constexpr int resident = 5;  ///< blocks on a multiprocessor
  static constexpr int memory_size = 1;

  struct alignas(16) Pack {
    A number[4];
  };
  /// A source as the caller's positions have it, moved by a number of edges of the cell.
  struct Place {
    T const* x;
    std::int32_t stride;
    std::int8_t image[4];
  };
  struct State {
    A x[each][2][3], u[each][K::results];
    RunPlace next;
    int slice;
  };
  struct Memory {
    Pack source[tile][packs];  ///< first parts, second parts, strengths
    Place place[tile];
    T total[sums][threads];
    T edge[3], origin[3], scale;
    int filled;  ///< sources of the tile; negative: it is the last one
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, FmmP2PLaunch<T> const& launch, LaunchList<PairSources<T>> const& sources,
                                   int block, Memory* memory) {
    PairPiece const piece = pair_piece(launch, block);
    if (piece.count() == 0) return;
    for (int c = 0; c < launch.args.vectors; ++c)
      Sum<Team>{team, launch, sources, piece, *memory, c}.run(piece.split ? launch.template part_of<K>(block, c)
                                                                          : nullptr);
  }

 private:
  /// Adds the pair of a target, given by its x, with source n of the tile to the sums of thread t.
  NEARFAR_FUNCTION_APART static void add_close(Memory& memory, T const* target, std::int64_t stride, int n, int t,
                                               int v) {
    Place const place = memory.place[n];
    if (place.x == target && place.image[3] == 0) return;
    T r[3], strength[K::strengths], u[K::results] = {};
    for (int d = 0; d < 3; ++d) {
      T const shift = place.image[d] * memory.edge[d], forward = shift > 0 ? shift : T(0);
      r[d] = ((target[d * stride] - forward) - (place.x[std::int64_t(d) * place.stride] + (shift - forward))) *
             memory.scale;
    }
    for (int m = 0; m < K::strengths; ++m) strength[m] = T(memory.source[n][(6 + m) / 4].number[(6 + m) % 4]);
    Pair::add(Lanes<T>::inverse_root(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]), r[0], r[1], r[2], strength, u);
    for (int m = 0; m < K::results; ++m) memory.total[v * K::results + m][t] += u[m];
  }

  NEARFAR_FUNCTION static A inverse_root(A x) {
#if defined(__CUDA_ARCH__)
    A y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return Lanes<A>::inverse_root(x);
#endif
  }

  template <class Team>
  struct Sum {
    Team& team;
    FmmP2PLaunch<T> const& launch;
    LaunchList<PairSources<T>> const& sources;
    PairPiece const& piece;
    Memory& memory;
    int vector;

    NEARFAR_FUNCTION void run(T* part) {
      int const targets = piece.count(), groups = (targets + each - 1) / each;
      begin(groups);
      for (bool more = true; more;) {
        fill();
        more = memory.filled > 0;
        add(more ? memory.filled : -memory.filled, groups);
      }
      end(part, targets, groups);
    }

    NEARFAR_FUNCTION void begin(int groups) {
      team.step([&](int t, State& s) {
        s.slice = t / groups;
        s.next = piece.sources;
        T const scale = T(0.5) / launch.args.half;
        for (int d = 0; d < 3; ++d) {
          T const origin = launch.target[d * launch.stride + piece.targets.first];
          for (int v = 0; v < each; ++v)
            put(s.x[v], d, (launch.target[d * launch.stride + target_of(t, groups, v)] - origin) * scale);
          if (t != d) continue;
          memory.edge[d] = launch.args.edge * launch.args.aspect[d];
          memory.origin[d] = origin;
        }
        if (t == 0) memory.scale = scale;
        for (auto& sum : memory.total) sum[t] = T(0);
      });
    }
    NEARFAR_FUNCTION static void put(A (*part)[3], int d, T x) {
      part[0][d] = Parts::take_part(x);
      part[1][d] = Parts::take_part(x);
    }
    /// Past the last target, that one.
    NEARFAR_FUNCTION int target_of(int t, int groups, int v) const {
      int const i = piece.targets.first + each * (t % groups) + v;
      return i < piece.targets.last ? i : piece.targets.last - 1;
    }

    /// The next sources to shared memory, and zeros up to a number that is added together.
    NEARFAR_FUNCTION void fill() {
      PairTable<PointRun> const table(launch.table);
      team.step([&](int t, State& s) {
        auto const any = [](PointRun const&, PointRun const&) { return true; };
        int const here =
            fill_tile(tile, table, sources, s.next, any, [&](PointRun const& run, int first, int at, int taken) {
              PairSources<T> const from = sources[run.buffer];
              for (int n = at + (t - at % threads + threads) % threads; n < at + taken; n += threads)
                take(run, from, first + n - at, n);
            });
        for (int n = here + t; n < (here + together - 1) / together * together; n += threads)
          for (int k = 0; k < packs; ++k) memory.source[n][k] = k == 0 ? Pack{{A(1), A(1), A(1), A(0)}} : Pack{};
        if (t == 0) memory.filled = s.next.left > 0 ? here : -here;
      });
    }
    NEARFAR_FUNCTION void take(PointRun const& run, PairSources<T> const& from, int j, int n) {
      T const* const strength = from.strength + vector * K::strengths * from.stride;
      A number[4 * packs] = {}, part[2][3];
      for (int d = 0; d < 3; ++d) {
        T const edge = memory.edge[d], forward = ahead(run, d) * edge,
                x = from.position[d * from.stride + j] + (run.image[d] * edge - forward);
        put(part, d, (x - (memory.origin[d] - forward)) * memory.scale);
        number[d] = part[0][d];
        number[3 + d] = part[1][d];
      }
      for (int m = 0; m < K::strengths; ++m)
        number[6 + m] = A(strength[m * from.stride + j] * strength_scale<K>(m, memory.scale));
      for (int k = 0; k < packs; ++k) {
        Pack pack;
        for (int m = 0; m < 4; ++m) pack.number[m] = number[4 * k + m];
        memory.source[n][k] = pack;
      }
      Place place{from.position + j, std::int32_t(from.stride), {}};
      for (int d = 0; d < 3; ++d) {
        place.image[d] = std::int8_t(run.image[d]);
        if (run.image[d] != 0) place.image[3] = 1;
      }
      memory.place[n] = place;
    }

    /// The pairs with this many sources.
    NEARFAR_FUNCTION void add(int count, int groups) {
      int const slices = threads / groups, steps = (count + together - 1) / together;
      team.step([&](int t, State& s) {
        if (s.slice >= slices) return;
        for (auto& sums_of_target : s.u)
          for (A& u : sums_of_target) u = A(0);
        int const last = together * (steps * (s.slice + 1) / slices);
        NEARFAR_DEVICE_UNROLL(2)
        for (int n = together * (steps * s.slice / slices); n < last; n += together) {
          A r[together][each][3], r2[together][each], source[together][4 * packs];
          A least = A(1);
          for (int i = 0; i < together; ++i) {
            for (int k = 0; k < packs; ++k) {
              Pack const pack = memory.source[n + i][k];
              for (int m = 0; m < 4; ++m) source[i][4 * k + m] = pack.number[m];
            }
            for (int v = 0; v < each; ++v) {
              for (int d = 0; d < 3; ++d)
                r[i][v][d] = (s.x[v][0][d] - source[i][d]) + (s.x[v][1][d] - source[i][3 + d]);
              r2[i][v] = r[i][v][0] * r[i][v][0] + r[i][v][1] * r[i][v][1] + r[i][v][2] * r[i][v][2];
              least = r2[i][v] < least ? r2[i][v] : least;
            }
          }
          if (least < close_squared)
            for (int i = 0; i < together; ++i)
              for (int v = 0; v < each; ++v)
                if (r2[i][v] < close_squared) {
                  if (n + i < count)
                    add_close(memory, launch.target + target_of(t, groups, v), launch.stride, n + i, t, v);
                  r2[i][v] = __builtin_huge_valf();
                }
          for (int i = 0; i < together; ++i)
            for (int v = 0; v < each; ++v)
              Pair::add(inverse_root(r2[i][v]), r[i][v][0], r[i][v][1], r[i][v][2], source[i] + 6, s.u[v]);
        }
        for (int v = 0; v < each; ++v)
          for (int m = 0; m < K::results; ++m) memory.total[v * K::results + m][t] += T(s.u[v][m]);
      });
    }

    NEARFAR_FUNCTION void end(T* part, int targets, int groups) {
      int const slices = threads / groups;
      team.step([&](int t, State&) {
        if (t >= targets) return;
        for (int m = 0; m < K::results; ++m) {
          T total = T(0);
          for (int q = 0; q < slices; ++q) total += memory.total[t % each * K::results + m][q * groups + t / each];
          total *= result_scale<K>(m, memory.scale);
          T* const out = launch.result + (vector * K::results + m) * launch.stride + piece.targets.first + t;
          if (part != nullptr) part[m * piece_targets + t] = total;
          else *out = sources.first > 0 ? *out + total : total;
        }
      });
    }
  };
};

}  // namespace nearfar
