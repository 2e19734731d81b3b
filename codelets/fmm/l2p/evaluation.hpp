// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/simd/lanes.hpp"
#include "core/fmm/derivatives.hpp"
#include "core/fmm/harmonics.hpp"
#include "core/kernels/kernels.hpp"

#include <cstdint>

namespace nearfar {

/// The points first .. last of a block, and the arrays of its results.
template <class T>
struct TargetPoints {
  T const* position;
  T* result;
  std::int64_t stride;
  int first, last;
};

/// The largest divisor of a number of values that is at most 15: so many sums fit into registers.
constexpr int summed_at_once(int values) {
  int most = values < 15 ? values : 15;
  while (values % most != 0) --most;
  return most;
}

/// Evaluates expansions of one box at points: locals with regular harmonics, or
/// multipoles with irregular ones. The potential and each derivative is one scalar
/// product of the harmonics with precomputed coefficients. Lanes hold points. E: the `Evaluation` of a kernel.
template <class V, class E, bool Irregular>
struct Evaluation {
  using L = Lanes<V>;
  using T = typename L::Scalar;
  static constexpr int step = Irregular ? -1 : 1;
  static constexpr int values = E::values, at_once = summed_at_once(values);
  static constexpr int most = coefficient_count(max_fmm_order + (Irregular ? E::slopes : 0));

  int order, top;  ///< degrees of the expansions and of the harmonics
  T half = 1, centre[3];
  V harmonic[most];
  T factor[most * values];

  [[gnu::always_inline]] explicit Evaluation(int p) : order(p), top(Irregular ? p + E::slopes : p) {}

  /// Prepares the right-hand sides of one box: expansion[0], expansion[stride], ...
  [[gnu::always_inline]] inline void begin(T const* c, T unit, T const* expansion, int stride) {
    for (int d = 0; d < 3; ++d) centre[d] = c[d];
    half = unit;
    for (int r = 0; r < E::rhs; ++r) {
      PackedParts<T> const x{expansion + r * stride, order};
      for (int n = 0; n <= top; ++n)
        for (int m = 0; m <= n; ++m) {
          T re[SumSlopes::most], im[SumSlopes::most];
          evaluation_factors<E::slopes>(step, x, n, m, re, im);
          for (int d = 0; d < SumSlopes::up_to(E::slopes); ++d) {
            int const i = E::value(r, d);
            if (i < 0) continue;
            factor[real_index(n, m) * values + i] = re[d];
            if (m > 0) factor[imag_index(n, m) * values + i] = im[d];
          }
        }
    }
  }

  /// Adds the first `results` numbers of a row to the results of the points, or overwrites these.
  template <bool Add>
  [[gnu::always_inline]] inline void evaluate(TargetPoints<T> const& t, int results) {
    V const inverse_half(T(1) / half);
    for (int j = t.first; j < t.last; j += L::count) {
      int const rest = t.last - j;
      V x[3], y[3], sum[values], out[E::results];
      for (int d = 0; d < 3; ++d) {
        x[d] = L::load_first(t.position + d * t.stride + j, rest);
        y[d] = (x[d] - V(centre[d])) * inverse_half;
      }
      if constexpr (Irregular)
        irregular_harmonics<T>(top, y[0], y[1], y[2], L::inverse_root(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]),
                               harmonic);
      else regular_harmonics<T>(top, y[0], y[1], y[2], harmonic);
      for (int first = 0; first < values; first += at_once) {
        V some[at_once];  // in registers
        for (V& one : some) one = V(T(0));
        for (int c = 0; c < coefficient_count(top); ++c)
          for (int i = 0; i < at_once; ++i) some[i] = some[i] + V(factor[c * values + first + i]) * harmonic[c];
        for (int i = 0; i < at_once; ++i) sum[first + i] = some[i];
      }
      E::combine(sum, x, inverse_half, out);
      for (int i = 0; i < results; ++i) {
        T* const to = t.result + i * t.stride + j;
        if constexpr (Add) L::store_first(to, L::load_first(to, rest) + out[i], rest);
        else L::store_first(to, out[i], rest);
      }
    }
  }
};

}  // namespace nearfar
