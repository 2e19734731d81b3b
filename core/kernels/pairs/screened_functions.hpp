// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/polynomial.hpp"

#include <cmath>

namespace nearfar {

// q erfc(x) / |r|, x = xi |r|: the near part of a charge in an Ewald sum, with
// erfc in three ways. For points of the unit cube |r| is at most sqrt(3).

inline constexpr double screened_xi = 3, screened_reach = 1.7320508075688774;

/// exp(x^2) erfc(x) for x >= 0, by its continued fraction where erfc is small.
long double scaled_erfc(long double x);

/// erfc of the library for this number type: the C library, or xsimd.
template <int D>
struct ErfcLibrary {
  static constexpr char const* name = "erfc";
  static constexpr int dimensions = D, strengths = 1, results = 1;
  static constexpr double flops = 43;  // erfc counted as 40

  template <class V>
  NEARFAR_FUNCTION void operator()(V const*, V r2, V inverse, V const* q, V* u) const {
    using std::erfc;
    u[0] = u[0] + q[0] * inverse * erfc(V(screened_xi) * r2 * inverse);
  }
};

/// erfc(x) = exp(-x^2) P(t) / (1 + 2 x) with t = (x - 3.75) / (x + 3.75) (M. M. Shepherd and J. G. Laframboise,
/// Math. Comp. 36, 1981): a rational function of x, fitted here to the requested error relative to erfc.
template <int D>
struct ErfcRational {
  static constexpr char const* name = "erfc-rational";
  static constexpr int dimensions = D, strengths = 1, results = 1;
  using Exact = ErfcLibrary<D>;

  Polynomial<double> fit;
  static constexpr double flops = 32 + 2 * 20;  // two divisions as 4 each, exp as 20, and a degree of 20

  explicit ErfcRational(double error)
      : fit(fit_polynomial<double>(
            [](long double t) {
              if (t >= 1) return 1.1283791670955125739L;  // 2 / sqrt(pi), the limit
              long double const x = 3.75L * (1 + t) / (1 - t);
              return scaled_erfc(x) * (1 + 2 * x);
            },
            error)) {}

  template <class V>
  NEARFAR_FUNCTION void operator()(V const*, V r2, V inverse, V const* q, V* u) const {
    using std::exp;
    V const x = V(screened_xi) * r2 * inverse, t = (x - V(3.75)) / (x + V(3.75));
    V sum(fit.coefficient[fit.degree]);
    for (int i = fit.degree - 1; i >= 0; --i) sum = sum * t + V(fit.coefficient[i]);
    u[0] = u[0] + q[0] * inverse * (exp(V(-1) * (x * x)) * sum / (V(1) + V(2) * x));
  }
};

/// erfc(x) / |r| = 1 / |r| - xi E(x^2), with a polynomial for E, which has no odd powers of x,
/// over all distances that occur: no exponential and no division. Not valid beyond the reach.
template <int D>
struct ErfcPolynomial {
  static constexpr char const* name = "erfc-polynomial";
  static constexpr int dimensions = D, strengths = 1, results = 1;
  static constexpr double flops = 7 + 2 * 30;  // a degree of 30
  using Exact = ErfcLibrary<D>;

  Polynomial<double> fit;

  explicit ErfcPolynomial(double error)
      : fit(fit_polynomial<double>(
            [](long double t) {
              long double const x = screened_xi * screened_reach * std::sqrt((1 + t) / 2);
              return x > 0 ? std::erf(x) / x : 1.1283791670955125739L;
            },
            error)) {}

  template <class V>
  NEARFAR_FUNCTION void operator()(V const*, V r2, V inverse, V const* q, V* u) const {
    V const t = r2 * V(2 / (screened_reach * screened_reach)) - V(1);
    V sum(fit.coefficient[fit.degree]);
    for (int i = fit.degree - 1; i >= 0; --i) sum = sum * t + V(fit.coefficient[i]);
    u[0] = u[0] + q[0] * (inverse - V(screened_xi) * sum);
  }
};

}  // namespace nearfar
