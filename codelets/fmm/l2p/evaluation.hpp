// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/lanes.hpp"
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

/// Evaluates expansions of one box at points: locals with regular harmonics, or
/// multipoles with irregular ones. The potential and each derivative is one scalar
/// product of the harmonics with precomputed coefficients. Lanes hold points.
template <class V, class K, bool Irregular>
struct Evaluation {
  using L = Lanes<V>;
  using T = typename L::Scalar;
  using Sums = typename K::Sums;
  using Evaluated = typename K::Evaluation;
  static constexpr bool slopes = Evaluated::slopes;
  static constexpr int step = Irregular ? -1 : 1;
  static constexpr int values = Evaluated::values, results = K::results;
  static constexpr int most = coefficient_count(max_fmm_order + 1);

  int order, top;  ///< degrees of the expansions and of the harmonics
  T half = 1, centre[3];
  V harmonic[most];
  T factor[most * values];

  [[gnu::always_inline]] explicit Evaluation(int p) : order(p), top(Irregular && slopes ? p + 1 : p) {}

  /// Prepares the right-hand sides of one box: expansion[0], expansion[stride], ...
  [[gnu::always_inline]] inline void begin(T const* c, T unit, T const* expansion, int stride) {
    for (int d = 0; d < 3; ++d) centre[d] = c[d];
    half = unit;
    for (int r = 0; r < Sums::rhs; ++r) {
      PackedParts<T> const x{expansion + r * stride, order};
      for (int n = 0; n <= top; ++n)
        for (int m = 0; m <= n; ++m) {
          T const twice = m == 0 ? T(1) : T(2);
          T* const re = factor + real_index(n, m) * values;
          T* const im = factor + imag_index(n, m) * values;
          if (int const i = Evaluated::value(r, -1); i >= 0) {
            if (m > 0) im[i] = twice * x.im(n, m);
            re[i] = twice * x.re(n, m);
          }
          if constexpr (slopes) {
            T slope_re[3], slope_im[3];
            gradient_parts(step, x, n, m, slope_re, slope_im);
            for (int k = 0; k < 3; ++k) {
              if (m > 0) im[Evaluated::value(r, k)] = twice * slope_im[k];
              re[Evaluated::value(r, k)] = twice * slope_re[k];
            }
          }
        }
    }
  }

  /// Adds the sums to the results of the points, or overwrites these.
  template <bool Add>
  [[gnu::always_inline]] inline void evaluate(TargetPoints<T> const& t) {
    V const inverse_half(T(1) / half);
    for (int j = t.first; j < t.last; j += L::count) {
      int const rest = t.last - j;
      V x[3], y[3], sum[values], out[results];
      for (int d = 0; d < 3; ++d) {
        x[d] = L::load_first(t.position + d * t.stride + j, rest);
        y[d] = (x[d] - V(centre[d])) * inverse_half;
      }
      if constexpr (Irregular)
        irregular_harmonics<T>(top, y[0], y[1], y[2], L::inverse_root(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]),
                               harmonic);
      else regular_harmonics<T>(top, y[0], y[1], y[2], harmonic);
      for (int i = 0; i < values; ++i) sum[i] = V(T(0));
      for (int c = 0; c < coefficient_count(top); ++c)
        for (int i = 0; i < values; ++i) sum[i] = sum[i] + V(factor[c * values + i]) * harmonic[c];
      Evaluated::combine(sum, x, inverse_half, inverse_half * inverse_half, out);
      for (int i = 0; i < results; ++i) {
        T* const to = t.result + i * t.stride + j;
        if constexpr (Add) L::store_first(to, L::load_first(to, rest) + out[i], rest);
        else L::store_first(to, out[i], rest);
      }
    }
  }
};

}  // namespace nearfar
