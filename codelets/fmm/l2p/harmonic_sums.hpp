// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/simd/lanes.hpp"
#include "core/fmm/derivatives.hpp"
#include "core/fmm/harmonics.hpp"
#include "core/fmm/irregular_columns.hpp"
#include "core/kernels/kernels.hpp"

#include <utility>

namespace nearfar {

/// The sums over the harmonics of one expansion that an evaluation needs, by the threads of a GPU block
/// (codelets/common/gpu/gpu_team.hpp), one for each target: the factors of the harmonics go to shared memory, one
/// right-hand side after another; then each thread visits the harmonics of its target. Locals have regular harmonics,
/// multipoles irregular ones. E: the `Evaluation` of a kernel.
template <class E, class T, bool Irregular>
struct HarmonicSums {
  static constexpr int threads = 64;
  static constexpr int numbers = SumSlopes::up_to(E::slopes), width = numbers < 4 ? numbers : 4,
                       rounds = (numbers + width - 1) / width;  ///< for one right-hand side: SumSlopes, `width` at once

  static constexpr int beyond = Irregular ? E::slopes : 0;  ///< degrees of the harmonics beyond those of the expansion
  /// Numbers of T that threads share: the factors of the recurrence, if it has any, and those of the harmonics.
  static constexpr int recurrence_size = Irregular ? 0 : pair_count(max_fmm_order);
  static constexpr int memory_size = recurrence_size + width * coefficient_count(max_fmm_order + beyond);

  /// To be called before the first `add`.
  template <class Team>
  NEARFAR_FUNCTION static void prepare(Team& team, int order, T* memory) {
    if constexpr (!Irregular)
      team.step([&](int t, auto&) {
        for (int k = t; k < pair_count(order); k += threads) {
          auto const [n, m] = pair_at(k);
          memory[k] = regular_factor<T>(n, m);
        }
      });
  }

  /// state.sum of the first `count` threads, for targets at place(state, y): y is relative to the box, in its units.
  template <class Team, class Place>
  NEARFAR_FUNCTION static void sum(Team& team, int order, T const* expansion, int count, T* memory,
                                   Place const& place) {
    all(std::make_integer_sequence<int, E::rhs * rounds>(), team, order, expansion, count, memory, place);
  }

 private:
  template <int... R, class Team, class Place>
  NEARFAR_FUNCTION static void all(std::integer_sequence<int, R...>, Team& team, int order, T const* expansion,
                                   int count, T* memory, Place const& place) {
    (part<R / rounds, R % rounds>(team, order, expansion, count, memory, place), ...);
  }

  /// The sums for right-hand side R, of these of SumSlopes.
  template <int R, int Round, class Team, class Place>
  NEARFAR_FUNCTION static void part(Team& team, int order, T const* expansion, int count, T* memory,
                                    Place const& place) {
    constexpr int first = Round * width, some = numbers - first < width ? numbers - first : width;
    int const degrees = order + beyond;
    T *const recurrence = memory, *const table = memory + recurrence_size;
    PackedParts<T> const from{expansion + R * expansion_stride<T>(order), order};
    team.step([&](int t, auto&) {
      for (int k = t; k < pair_count(degrees); k += threads) {
        auto const [n, m] = pair_at(k);
        T re[numbers], im[numbers];
        evaluation_factors<E::slopes>(Irregular ? -1 : 1, from, n, m, re, im);
        for (int q = 0; q < some; ++q) {
          if (m > 0) table[imag_index(n, m) * width + q] = im[first + q];
          table[real_index(n, m) * width + q] = re[first + q];
        }
      }
    });
    team.step([&](int t, auto& s) {
      if (t >= count) return;
      T y[3], sum[width] = {};
      place(s, y);
      auto const add = [&](int n, int m, T re, T im) {
        T const* const by = table + real_index(n, m) * width;
        for (int q = 0; q < some; ++q) sum[q] += by[q] * re;
        if (m == 0) return;
        for (int q = 0; q < some; ++q) sum[q] += by[width + q] * im;
      };
      if constexpr (Irregular)
        visit_irregular_harmonics(degrees, 0, 1, y[0], y[1], y[2],
                                  Lanes<T>::inverse_root(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]), add);
      else visit_regular_harmonics(degrees, 0, 1, y[0], y[1], y[2], recurrence, add);
      for (int q = 0; q < some; ++q)
        if (E::value(R, first + q) >= 0) s.sum[E::value(R, first + q)] = sum[q];
    });
  }
};

}  // namespace nearfar
