// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/simd/lanes.hpp"
#include "core/fmm/derivatives.hpp"
#include "core/fmm/harmonics.hpp"
#include "core/kernels/kernels.hpp"

#include <cstdint>

namespace nearfar {

/// The points first .. last of a block, in arrays with stride `stride`, moved by `shift`.
template <class T>
struct SourcePoints {
  T const* position;
  T const* strength;
  std::int64_t stride;
  int first, last;
  T shift[3] = {};
};

/// The expansion of points about a centre, in units of `half`: a multipole from regular harmonics, or a local from
/// irregular ones. Lanes hold points. First sums of the harmonics by weights, then their derivatives for dipoles.
template <class V, class Sums, bool Irregular>
struct Moments {
  using L = Lanes<V>;
  using T = typename L::Scalar;
  static constexpr int step = Irregular ? 1 : -1;
  static constexpr int most = expansion_stride<T>(max_fmm_order + 1);

  int order, charge_order, dipole_order, stride;
  T half, centre[3];
  V harmonic[most], sum[Sums::weights * most];

  [[gnu::always_inline]] Moments(int p, T unit)
      : order(p), charge_order(p), dipole_order(p + step),
        stride(expansion_stride<T>(Irregular && Sums::dipoles > 0 ? p + 1 : p)), half(unit) {}

  [[gnu::always_inline]] inline void begin(T const* c) {
    for (int d = 0; d < 3; ++d) centre[d] = c[d];
    for (int i = 0; i < Sums::weights * stride; ++i) sum[i] = V(T(0));
  }

  [[gnu::always_inline]] inline void add(SourcePoints<T> const& s) {
    V const inverse_half(T(1) / half);
    int const top = Irregular && Sums::dipoles > 0 ? order + 1 : order;
    for (int j = s.first; j < s.last; j += L::count) {
      int const rest = s.last - j;
      V y[3], x[3], f[Sums::strengths], weight[Sums::weights];
      for (int d = 0; d < 3; ++d) {
        y[d] = L::load_first(s.position + d * s.stride + j, rest) + V(s.shift[d]);
        x[d] = L::first((y[d] - V(centre[d])) * inverse_half, rest);
      }
      for (int m = 0; m < Sums::strengths; ++m) f[m] = L::load_first(s.strength + m * s.stride + j, rest);
      Sums::weigh(f, y, inverse_half, weight);
      if constexpr (Irregular)
        irregular_harmonics<T>(top, x[0], x[1], x[2], L::inverse_root(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]),
                               harmonic);
      else regular_harmonics<T>(top, x[0], x[1], x[2], harmonic);
      for (int w = 0; w < Sums::weights; ++w) {
        int const count = w < Sums::charges ? coefficient_count(charge_order) : coefficient_count(dipole_order);
        V* const total = sum + w * stride;
        for (int c = 0; c < count; ++c) total[c] = total[c] + weight[w] * harmonic[c];
      }
    }
  }

  /// Adds the expansions of the right-hand sides to out[0], out[out_stride], ...
  [[gnu::always_inline]] inline void finish(T* out, int out_stride) {
    alignas(64) T total[Sums::weights * most];
    for (int i = 0; i < Sums::weights * stride; i += L::count) L::store(total + i, L::sums(sum + i));
    for (int r = 0; r < Sums::rhs; ++r, out += out_stride) {
      if constexpr (Sums::charges > 0)
        for (int c = 0; c < coefficient_count(order); ++c) out[c] += total[r * stride + c];
      if constexpr (Sums::dipoles > 0)
        add_dipoles(step, dipole_order, total + Sums::dipole(r, 0) * stride, total + Sums::dipole(r, 1) * stride,
                    total + Sums::dipole(r, 2) * stride, order, out);
    }
  }
};

}  // namespace nearfar
