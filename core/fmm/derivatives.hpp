// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/packed.hpp"
#include "core/kernels/split.hpp"

namespace nearfar {

/// Derivatives of the harmonics lead from one degree to the next, down for R and up for I (fmm.md, Sec.
/// 1.1). `step` below is that direction: -1 for R (multipoles from points), +1 for I (locals from points).

/// Real and imaginary part of the coefficient (n, m), m >= 0, of a packed expansion; 0 outside the triangle n <= order.
template <class T>
struct PackedParts {
  T const* data;
  int order;

  NEARFAR_FUNCTION T re(int n, int m) const { return n < 0 || n > order || m > n ? T(0) : data[real_index(n, m)]; }
  NEARFAR_FUNCTION T im(int n, int m) const {
    return n < 0 || n > order || m > n || m == 0 ? T(0) : data[imag_index(n, m)];
  }
};

/// Adds to the coefficient (n, m) of `out` that of dipoles, given the sums over their x, y and z components
/// taken as charges: the sum of (d . grad) X_n^m with X = R (step -1) or I (step +1), from the sums of d_k X.
template <class T>
NEARFAR_FUNCTION void add_dipole_parts(int step, PackedParts<T> const& x, PackedParts<T> const& y,
                                       PackedParts<T> const& z, int n, int m, T* out) {
  int const k = n + step;
  T const half(0.5), sign = step < 0 ? T(1) : T(-1);
  if (m == 0) {
    out[n * n] += sign * z.re(k, 0) - x.re(k, 1) - y.im(k, 1);
    return;
  }
  out[real_index(n, m)] +=
      half * (x.re(k, m - 1) - x.re(k, m + 1) - y.im(k, m - 1) - y.im(k, m + 1)) + sign * z.re(k, m);
  out[imag_index(n, m)] +=
      half * (x.im(k, m - 1) - x.im(k, m + 1) + y.re(k, m - 1) + y.re(k, m + 1)) + sign * z.im(k, m);
}

/// The same for all coefficients; the sums go up to degree `order_in`.
template <class T>
NEARFAR_FUNCTION void add_dipoles(int step, int order_in, T const* dx, T const* dy, T const* dz, int order, T* out) {
  PackedParts<T> const x{dx, order_in}, y{dy, order_in}, z{dz, order_in};
  for (int n = 0; n <= order; ++n)
    for (int m = 0; m <= n; ++m) add_dipole_parts(step, x, y, z, n, m, out);
}

/// The coefficient (n, m) of the expansion of a derivative of the potential that `x` expands: `parts` receives the
/// real and imaginary ones of d/dx, d/dy and d/dz. Step +1: x is a local (degree n from n + 1); -1: a multipole.
template <class T>
NEARFAR_FUNCTION void gradient_parts(int step, PackedParts<T> const& x, int n, int m, T re[3], T im[3]) {
  int const k = n + step;
  T const half(0.5), sign = step < 0 ? T(-1) : T(1);
  if (m == 0) {
    re[0] = x.re(k, 1);
    re[1] = x.im(k, 1);
    re[2] = sign * x.re(k, 0);
    im[0] = im[1] = im[2] = T(0);
    return;
  }
  re[0] = half * (x.re(k, m + 1) - x.re(k, m - 1));
  im[0] = half * (x.im(k, m + 1) - x.im(k, m - 1));
  re[1] = half * (x.im(k, m + 1) + x.im(k, m - 1));
  im[1] = -half * (x.re(k, m + 1) + x.re(k, m - 1));
  re[2] = sign * x.re(k, m);
  im[2] = sign * x.im(k, m);
}

/// The same for second derivatives, xx, xy, xz, yy and yz.
template <class T>
NEARFAR_FUNCTION void hessian_parts(int step, PackedParts<T> const& x, int n, int m, T re[5], T im[5]) {
  int const k = n + 2 * step;
  struct Complex {
    T re, im;
  };
  auto const at = [&](int l) {  // the coefficient (k, l) for any l: X_k^{-l} = (-1)^l conj(X_k^l)
    if (l >= 0) return Complex{x.re(k, l), x.im(k, l)};
    T const sign = l % 2 == 0 ? T(1) : T(-1);
    return Complex{sign * x.re(k, -l), -sign * x.im(k, -l)};
  };
  Complex const up2 = at(m + 2), up = at(m + 1), here = at(m), down = at(m - 1), down2 = at(m - 2);
  T const half(0.5), quarter(0.25), side = step < 0 ? T(-0.5) : T(0.5);
  T const sum_re = quarter * (up2.re + down2.re), sum_im = quarter * (up2.im + down2.im);
  re[0] = sum_re - half * here.re;
  im[0] = sum_im - half * here.im;
  re[1] = quarter * (up2.im - down2.im);
  im[1] = quarter * (down2.re - up2.re);
  re[2] = side * (up.re - down.re);
  im[2] = side * (up.im - down.im);
  re[3] = -sum_re - half * here.re;
  im[3] = -sum_im - half * here.im;
  re[4] = side * (up.im + down.im);
  im[4] = -side * (up.re + down.re);
}

/// What multiplies the real and imaginary part of the harmonic (n, m) in each of SumSlopes up to derivative `Slopes`.
template <int Slopes, class T>
NEARFAR_FUNCTION void evaluation_factors(int step, PackedParts<T> const& x, int n, int m, T* re, T* im) {
  re[0] = x.re(n, m);
  im[0] = x.im(n, m);
  if constexpr (Slopes > 0) gradient_parts(step, x, n, m, re + 1, im + 1);
  if constexpr (Slopes > 1) hessian_parts(step, x, n, m, re + 4, im + 4);
  if (m == 0) return;
  for (int d = 0; d < SumSlopes::up_to(Slopes); ++d) {
    re[d] *= T(2);
    im[d] *= T(2);
  }
}

}  // namespace nearfar
