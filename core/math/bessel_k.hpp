// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cmath>

namespace nearfar {

/// Modified Bessel functions of the second kind, of orders 0 and 1.
struct BesselK {
  double k0 = 0, k1 = 0;
};

/// For x > 0, to a relative accuracy of about 1e-15, on hosts and devices. K_n(x) is the integral over
/// t > 0 of exp(-x cosh t) cosh(n t) (DLMF 10.32.9), for which the error of the trapezoidal rule falls
/// exponentially in 1 / step. The step keeps it below rounding: for small x it is set by the width of
/// the strip in which the integrand decays, for large x by the width of its peak, 1 / sqrt(x).
NEARFAR_FUNCTION BesselK bessel_k(double x) {
  constexpr double negligible = 40;  // exp(-40): below rounding
  double const step = x < 16 ? 9.5 / (38 + x) : 0.7 / std::sqrt(x);
  BesselK sum{0.5, 0.5};
  for (int i = 1;; ++i) {
    double const half = std::sinh(0.5 * i * step), above = 2 * half * half;  // cosh(t) - 1, without cancellation
    if (x * above > negligible) break;
    double const part = std::exp(-x * above);
    sum.k0 += part;
    sum.k1 += part * (1 + above);
  }
  double const scale = step * std::exp(-x);
  return {scale * sum.k0, scale * sum.k1};
}

}  // namespace nearfar
