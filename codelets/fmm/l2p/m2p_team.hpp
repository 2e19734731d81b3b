// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/common/simd/lanes.hpp"
#include "codelets/fmm/fmm_args.hpp"
#include "codelets/fmm/leaf_pieces.hpp"
#include "core/fmm/derivatives.hpp"
#include "core/fmm/irregular_columns.hpp"
#include "core/kernels/kernels.hpp"

#include <utility>

namespace nearfar {

/// Pointers of an M2P task.
template <class T>
struct M2PLaunch {
  M2PArgs args;
  Leaf const* leaf = nullptr;
  std::int32_t const* table = nullptr;
  T const* position = nullptr;
  T* out = nullptr;
  std::int64_t stride = 0;
  int leaves = 0;
  int row = 0;  ///< numbers of a target

  template <class Buffers>
  static M2PLaunch of(Buffers const& b, M2PArgs const& args) {
    return {args,
            b.template get<Leaf const>(0),
            b.template get<std::int32_t const>(1),
            b.template get<T const>(2),
            b.template get<T>(4),
            b.template size<T>(2) / 3,
            int(b.template size<Leaf>(0)),
            row_of_results<T>(b, 2, 4, args.vectors)};
  }
};

/// What the threads of a GPU block do for one piece of a leaf and vector of charges
/// (codelets/common/gpu/gpu_team.hpp): for each box of the leaf's list, one right-hand side after another, the
/// factors of the harmonics go to shared memory; then each thread visits the irregular harmonics of its target.
template <class E, class T>
struct M2PTeam {
  static constexpr int threads = 64, values = E::values, results = E::results;
  static constexpr int numbers = SumSlopes::up_to(E::slopes), width = numbers < 4 ? numbers : 4,
                       rounds = (numbers + width - 1) / width;  ///< for one right-hand side: SumSlopes, `width` at once
  static constexpr int memory_size = width * coefficient_count(max_fmm_order + E::slopes);

  struct State {
    T x[3], sum[values], total[results];
  };

  NEARFAR_FUNCTION static int blocks(M2PLaunch<T> const& launch) {
    return max_pieces(launch.leaves, int(launch.stride), threads) * launch.args.vectors;
  }
  /// Degree of the harmonics; each derivative needs one more.
  NEARFAR_FUNCTION static int top(int order) { return order + E::slopes; }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, M2PLaunch<T> const& launch, LaunchList<T const*> const& multipoles,
                                   int block, T* memory) {
    M2PArgs const& args = launch.args;
    LeafPiece const piece = leaf_piece(launch.leaf, launch.leaves, threads, block / args.vectors);
    if (piece.first == piece.last) return;
    int const v = block % args.vectors, first = piece.first, count = piece.last - first,
              expansion = expansion_stride<T>(args.order);
    PairTable<FarBox> const table(launch.table);
    Range const range = table.range(piece.leaf);
    team.step([&](int t, State& s) {
      for (T& total : s.total) total = T(0);
      for (int d = 0; t < count && d < 3; ++d) s.x[d] = launch.position[d * launch.stride + first + t];
    });
    for (int k = range.first; k < range.first + range.count; ++k) {
      FarBox const box = table.item(k);
      if (!multipoles.has(box.buffer)) continue;
      double half = -args.corner;
      for (int l = 0; l < box.level; ++l) half *= 0.5;
      T centre[3];
      box_centre(args.corner, half, args.aspect, box.at, centre);
      T const* const from = multipoles[box.buffer] + (std::int64_t(box.local) * args.vectors + v) * E::rhs * expansion;
      T const inverse_half = T(1) / T(half);
      add_all(std::make_integer_sequence<int, E::rhs * rounds>(), team, args.order, from, centre, inverse_half, count,
              memory);
      team.step([&](int t, State& s) {
        if (t >= count) return;
        T out[results];
        E::combine(s.sum, s.x, inverse_half, out);
        for (int m = 0; m < results; ++m) s.total[m] += out[m];
      });
    }
    team.step([&](int t, State& s) {
      if (t >= count) return;
      for (int m = 0; m < results; ++m) {
        if (m >= launch.row) continue;
        T* const out = launch.out + (v * launch.row + m) * launch.stride + first + t;
        *out = multipoles.first > 0 ? *out + s.total[m] : s.total[m];
      }
    });
  }

 private:
  template <int... R, class Team, class... Rest>
  NEARFAR_FUNCTION static void add_all(std::integer_sequence<int, R...>, Team& team, Rest... rest) {
    (add<R / rounds, R % rounds>(team, rest...), ...);
  }

  /// The sums for right-hand side R, of these of SumSlopes.
  template <int R, int Round, class Team>
  NEARFAR_FUNCTION static void add(Team& team, int order, T const* multipole, T const* centre, T inverse_half,
                                   int count, T* table) {
    constexpr int first = Round * width, some = numbers - first < width ? numbers - first : width;
    int const degrees = top(order);
    PackedParts<T> const from{multipole + R * expansion_stride<T>(order), order};
    team.step([&](int t, State&) {
      for (int k = t; k < pair_count(degrees); k += threads) {
        auto const [n, m] = pair_at(k);
        T re[numbers], im[numbers];
        evaluation_factors<E::slopes>(-1, from, n, m, re, im);
        for (int q = 0; q < some; ++q) {
          if (m > 0) table[imag_index(n, m) * width + q] = im[first + q];
          table[real_index(n, m) * width + q] = re[first + q];
        }
      }
    });
    team.step([&](int t, State& s) {
      if (t >= count) return;
      T y[3], sum[width] = {};
      for (int d = 0; d < 3; ++d) y[d] = (s.x[d] - centre[d]) * inverse_half;
      visit_irregular_harmonics(degrees, 0, 1, y[0], y[1], y[2],
                                Lanes<T>::inverse_root(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]),
                                [&](int n, int m, T re, T im) {
                                  T const* const by = table + real_index(n, m) * width;
                                  for (int q = 0; q < some; ++q) sum[q] += by[q] * re;
                                  if (m == 0) return;
                                  for (int q = 0; q < some; ++q) sum[q] += by[width + q] * im;
                                });
      for (int q = 0; q < some; ++q)
        if (E::value(R, first + q) >= 0) s.sum[E::value(R, first + q)] = sum[q];
    });
  }
};

}  // namespace nearfar
