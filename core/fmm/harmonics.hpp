// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/packed.hpp"

namespace nearfar {

/// Solid harmonics without Condon-Shortley phase (fmm.md, Sec. 1.1), in packed storage, by recurrences in Cartesian
/// coordinates. V is a scalar or a SIMD batch of T; `out` has room for coefficient_count(order) of them.
///   R_n^m = r^n / (n+m)! P_n^m(cos) e^{i m phi}        I_n^m = (n-m)! / r^{n+1} P_n^m(cos) e^{i m phi}

/// 1 / ((n-m)(n+m)) for m < n, for the recurrence of R; computed at compile time.
template <class T>
struct RegularFactors {
  static constexpr int degrees = 2 * max_fmm_order + 2;
  T value[degrees * (degrees + 1) / 2] = {};
  constexpr RegularFactors() {
    for (int n = 1; n < degrees; ++n)
      for (int m = 0; m < n; ++m) value[n * (n + 1) / 2 + m] = T(1.0 / double((n - m) * (n + m)));
  }
};
template <class T>
inline constexpr RegularFactors<T> regular_factors;

/// R up to degree `order`, at most 2 * max_fmm_order.
template <class T, class V>
NEARFAR_FUNCTION void regular_harmonics(int order, V x, V y, V z, V* out) {
  V const r2 = x * x + y * y + z * z;
  out[0] = V(T(1));
  if (order == 0) return;
  out[1] = z;
  out[2] = x * V(T(0.5));
  out[3] = y * V(T(0.5));
  for (int n = 2; n <= order; ++n) {
    V* const now = out + n * n;
    V const *const last = out + (n - 1) * (n - 1), *const before = out + (n - 2) * (n - 2);
    T const* const factor = regular_factors<T>.value + n * (n + 1) / 2;
    V const wz = V(T(2 * n - 1)) * z;
    now[0] = (wz * last[0] - r2 * before[0]) * V(factor[0]);
    int const shared = 2 * (n - 2);
    for (int i = 1; i <= shared; ++i) now[i] = (wz * last[i] - r2 * before[i]) * V(factor[(i + 1) / 2]);
    V const real = last[2 * n - 3], imag = last[2 * n - 2];  // (n-1, n-1)
    now[2 * n - 3] = z * real;
    now[2 * n - 2] = z * imag;
    V const half(T(0.5) / T(n));
    now[2 * n - 1] = (x * real - y * imag) * half;
    now[2 * n] = (x * imag + y * real) * half;
  }
}

/// The factors that visit_regular_harmonics multiplies by to get to (n, m).
template <class T>
NEARFAR_FUNCTION T regular_factor(int n, int m) {
  return n == m ? T(0.5) / T(n > 0 ? n : 1) : T(1) / T((n - m) * (n + m));
}

/// R up to degree `order`, order by order instead of degree by degree, so that nothing has to be stored: calls
/// visit(n, m, re, im) for one in each `step` orders m: number `first` of those from the front, then from the back, and
/// so on, since the work falls with the order. Reads regular_factor at n(n+1)/2 + m.
template <class T, class Visit>
NEARFAR_FUNCTION void visit_regular_harmonics(int order, int first, int step, T x, T y, T z, T const* factor,
                                              Visit const& visit) {
  T const r2 = x * x + y * y + z * z;
  T re = T(1), im = T(0);            // (m, m)
  int way = 2 * (step - first) - 1;  // to the next one; the way after that makes it two steps
  for (int m = 0, next = first; m <= order; ++m) {
    if (m > 0) {
      T const half = factor[m * (m + 1) / 2 + m], real = re;
      re = (x * real - y * im) * half;
      im = (x * im + y * real) * half;
    }
    if (m != next) continue;
    next += way;
    way = 2 * step - way;
    T last_re = T(0), last_im = T(0), now_re = re, now_im = im;
    visit(m, m, now_re, now_im);
    for (int n = m + 1; n <= order; ++n) {
      T const wz = T(2 * n - 1) * z, f = factor[n * (n + 1) / 2 + m];
      T const next_re = (wz * now_re - r2 * last_re) * f, next_im = (wz * now_im - r2 * last_im) * f;
      last_re = now_re, last_im = now_im;
      now_re = next_re, now_im = next_im;
      visit(n, m, now_re, now_im);
    }
  }
}

/// I up to degree `order`; r = 0 is not checked for.
template <class T, class V>
NEARFAR_FUNCTION void irregular_harmonics(int order, V x, V y, V z, V inverse_r, V* out) {
  V const inverse_r2 = inverse_r * inverse_r;
  V const u = x * inverse_r2, v = y * inverse_r2, w = z * inverse_r2;
  out[0] = inverse_r;
  if (order == 0) return;
  out[1] = w * inverse_r;
  out[2] = u * inverse_r;
  out[3] = v * inverse_r;
  for (int n = 2; n <= order; ++n) {
    V* const now = out + n * n;
    V const *const last = out + (n - 1) * (n - 1), *const before = out + (n - 2) * (n - 2);
    V const wz = V(T(2 * n - 1)) * w;
    int const shared = 2 * (n - 2);
    for (int i = 0; i <= shared; ++i) {
      int const m = (i + 1) / 2;
      now[i] = wz * last[i] - V(T((n - 1 - m) * (n - 1 + m))) * inverse_r2 * before[i];
    }
    V const real = last[2 * n - 3], imag = last[2 * n - 2];
    now[2 * n - 3] = wz * real;
    now[2 * n - 2] = wz * imag;
    V const factor(T(2 * n - 1));
    now[2 * n - 1] = factor * (u * real - v * imag);
    now[2 * n] = factor * (u * imag + v * real);
  }
}

}  // namespace nearfar
