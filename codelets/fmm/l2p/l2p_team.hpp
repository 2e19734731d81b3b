// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/leaf_launch.hpp"
#include "core/fmm/derivatives.hpp"
#include "core/fmm/harmonics.hpp"
#include "core/kernels/kernels.hpp"

#include <utility>

namespace nearfar {

template <class T>
struct L2PLaunch : LeafLaunch<T, L2PArgs> {
  int row = 0;  ///< numbers of a target

  template <class Buffers>
  static L2PLaunch of(Buffers const& b, L2PArgs const& args) {
    return {LeafLaunch<T, L2PArgs>::of(b, args), row_of_results<T>(b, 1, 3, args.vectors)};
  }
};

/// What the threads of a GPU block do for one piece of a leaf and vector of charges
/// (codelets/common/gpu/gpu_team.hpp): the factors of the harmonics go to shared memory, one
/// right-hand side after another; then each thread visits the harmonics of its target.
template <class E, class T>
struct L2PTeam {
  static constexpr int threads = 64, values = E::values, results = E::results;
  static constexpr int numbers = SumSlopes::up_to(E::slopes), width = numbers < 4 ? numbers : 4,
                       rounds = (numbers + width - 1) / width;  ///< for one right-hand side: SumSlopes, `width` at once
  static constexpr int memory_size = pair_count(max_fmm_order) + width * coefficient_count(max_fmm_order);

  struct State {
    T x[3], y[3], sum[values];
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, L2PLaunch<T> const& launch, int block, T* memory) {
    L2PArgs const& args = launch.args;
    LeafPiece const piece = leaf_piece(launch.leaf, launch.leaves, threads, block / args.vectors);
    if (piece.first == piece.last) return;
    int const i = piece.leaf, v = block % args.vectors, first = piece.first, count = piece.last - first;
    Leaf const leaf = launch.leaf[i];
    T centre[3];
    box_centre(args.corner, args.half, args.aspect, leaf.at, centre);
    T const inverse_half = T(1) / T(args.half);
    T const* const local = launch.in + (std::int64_t(i) * args.vectors + v) * E::rhs * expansion_stride<T>(args.order);
    team.step([&](int t, State&) {
      for (int k = t; k < pair_count(args.order); k += threads) {
        auto const [n, m] = pair_at(k);
        memory[k] = regular_factor<T>(n, m);
      }
    });
    team.step([&](int t, State& s) {
      if (t >= count) return;
      for (int d = 0; d < 3; ++d) {
        s.x[d] = launch.position[d * launch.stride + first + t];
        s.y[d] = (s.x[d] - centre[d]) * inverse_half;
      }
      for (T& sum : s.sum) sum = T(0);
    });
    add_all(std::make_integer_sequence<int, E::rhs * rounds>(), team, args.order, local, count, memory);
    team.step([&](int t, State& s) {
      if (t >= count) return;
      T out[results];
      E::combine(s.sum, s.x, inverse_half, out);
      for (int k = 0; k < results; ++k)
        if (k < launch.row) launch.out[(v * launch.row + k) * launch.stride + first + t] = out[k];
    });
  }

 private:
  template <int... R, class Team, class... Rest>
  NEARFAR_FUNCTION static void add_all(std::integer_sequence<int, R...>, Team& team, Rest... rest) {
    (add<R / rounds, R % rounds>(team, rest...), ...);
  }

  /// The sums for right-hand side R, of these of SumSlopes.
  template <int R, int Round, class Team>
  NEARFAR_FUNCTION static void add(Team& team, int order, T const* local, int count, T* memory) {
    constexpr int first = Round * width, some = numbers - first < width ? numbers - first : width;
    T *const factor = memory, *const table = memory + pair_count(max_fmm_order);
    PackedParts<T> const from{local + R * expansion_stride<T>(order), order};
    team.step([&](int t, State&) {
      for (int k = t; k < pair_count(order); k += threads) {
        auto const [n, m] = pair_at(k);
        T re[numbers], im[numbers];
        evaluation_factors<E::slopes>(1, from, n, m, re, im);
        for (int q = 0; q < some; ++q) {
          if (m > 0) table[imag_index(n, m) * width + q] = im[first + q];
          table[real_index(n, m) * width + q] = re[first + q];
        }
      }
    });
    team.step([&](int t, State& s) {
      if (t >= count) return;
      T sum[width] = {};
      visit_regular_harmonics(order, 0, 1, s.y[0], s.y[1], s.y[2], factor, [&](int n, int m, T re, T im) {
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
