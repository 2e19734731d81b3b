// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/packed.hpp"

namespace nearfar {

/// Irregular harmonics (core/fmm/harmonics.hpp) up to degree `order`, order by order, so that nothing has
/// to be stored: visit(n, m, re, im) for the orders m = first, first + step, ... r = 0 is not checked for.
template <class T, class Visit>
NEARFAR_FUNCTION void visit_irregular_harmonics(int order, int first, int step, T x, T y, T z, T inverse_r,
                                                Visit const& visit) {
  T const inverse_r2 = inverse_r * inverse_r, u = x * inverse_r2, v = y * inverse_r2, w = z * inverse_r2;
  T re = inverse_r, im = T(0);  // (m, m)
  for (int m = 0, next = first; m <= order; ++m) {
    if (m > 0) {
      T const factor = T(2 * m - 1), real = re;
      re = factor * (u * real - v * im);
      im = factor * (u * im + v * real);
    }
    if (m != next) continue;
    next += step;
    T last_re = T(0), last_im = T(0), now_re = re, now_im = im;
    visit(m, m, now_re, now_im);
    for (int n = m + 1; n <= order; ++n) {
      T const along = T(2 * n - 1) * w, back = T((n - 1 - m) * (n - 1 + m)) * inverse_r2;
      T const next_re = along * now_re - back * last_re, next_im = along * now_im - back * last_im;
      last_re = now_re, last_im = now_im;
      now_re = next_re, now_im = next_im;
      visit(n, m, now_re, now_im);
    }
  }
}

}  // namespace nearfar
