// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/split/near_kernel.hpp"
#include "core/kernels/description/field.hpp"

namespace nearfar {

/// What one source adds to one target within the cutoff (formulas in near_kernel.hpp) is K::Near, written once for
/// scalars and SIMD batches, hosts and devices: first the radial factors, which the caller sets to zero beyond the
/// cutoff, then their use, `add`. `inverse` is 1/r, or 0 at r = 0, which drops the singular terms; `layer` holds one
/// value per polynomial, from first_layer on; where the pair is screened the factors are also given screening times r.
/// `flops` counts the use of the factors, for cost models.

/// The factors of `count` squared distances at once, even and odd powers separately:
/// short dependency chains keep a processor's pipelines full. V is a scalar or a
/// SIMD batch of T, Near a NearKernel or something with the same interface.
template <class Pair, int count, class V, class Near>
NEARFAR_FUNCTION void near_factors(Near const& k, V const* r2, V const* inverse, V (*factor)[Pair::factor_count]) {
  constexpr int layers = Pair::polynomials;
  V t[count], square[count], even[count][layers], odd[count][layers];
  int const top = k.degree / 2;
  for (int l = 0; l < layers; ++l) {
    auto const c = k.coefficients(Pair::first_layer + l, top);
    for (int n = 0; n < count; ++n) {
      even[n][l] = V(c.even);
      odd[n][l] = V(c.odd);
    }
  }
  for (int n = 0; n < count; ++n) {
    t[n] = V(k.scale) * r2[n] - V(1);
    square[n] = t[n] * t[n];
  }
  NEARFAR_DEVICE_UNROLL(2)
  for (int h = top - 1; h >= 0; --h)
    for (int l = 0; l < layers; ++l) {
      auto const c = k.coefficients(Pair::first_layer + l, h);
      V const of_odd(c.odd), of_even(c.even);
      for (int n = 0; n < count; ++n) {
        odd[n][l] = odd[n][l] * square[n] + of_odd;
        even[n][l] = even[n][l] * square[n] + of_even;
      }
    }
  for (int n = 0; n < count; ++n) {
    for (int l = 0; l < layers; ++l) even[n][l] = odd[n][l] * t[n] + even[n][l];
    if constexpr (is_screened<Pair>)
      Pair::factors(even[n], inverse[n], V(k.screening) * (r2[n] * inverse[n]), factor[n]);
    else Pair::factors(even[n], inverse[n], factor[n]);
  }
}

}  // namespace nearfar
