// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/near_kernel.hpp"

namespace nearfar {

/// What one source adds to one target within the cutoff (formulas in near_kernel.hpp). Written
/// once for scalars and SIMD batches, hosts and devices: first the radial factors (near_factors
/// below), which the caller sets to zero beyond the cutoff, then their use. `inverse` is 1/r,
/// or 0 at r = 0, which drops the singular terms; `layer` holds one value per polynomial, from
/// first_layer on. `flops` counts the use of the factors, for cost models.
template <Kernel K, bool Gradient>
struct NearPair;

template <>
struct NearPair<Kernel::stokeslet, false> {
  static constexpr int strengths = 3;
  static constexpr int results = 3;
  static constexpr int factor_count = 2;
  static constexpr int first_layer = 0, polynomials = 2;
  static constexpr int flops = 21;

  template <class V>
  NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
    factor[0] = inverse - layer[0];
    factor[1] = inverse * inverse * inverse - layer[1];
  }
  template <class V>
  NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* f, V* u) {
    V const a = factor[0], radial = factor[1] * (x * f[0] + y * f[1] + z * f[2]);
    u[0] = u[0] + a * f[0] + radial * x;
    u[1] = u[1] + a * f[1] + radial * y;
    u[2] = u[2] + a * f[2] + radial * z;
  }
};

template <>
struct NearPair<Kernel::stresslet, false> {
  static constexpr int strengths = 6;
  static constexpr int results = 3;
  static constexpr int factor_count = 2;
  static constexpr int first_layer = 1, polynomials = 2;
  static constexpr int flops = 48;

  template <class V>
  NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
    double_layer(inverse, inverse * inverse * inverse - layer[0], layer[1], factor);
  }
  /// Computes c and d from b and c.
  template <class V>
  NEARFAR_FUNCTION static void double_layer(V inverse, V b, V c, V* factor) {
    factor[0] = c;
    factor[1] = (V(-6) * b - (c + c)) * (inverse * inverse);
  }
  template <class V>
  NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* q, V* u) {
    V const* const n = q + 3;
    V const rq = x * q[0] + y * q[1] + z * q[2], rn = x * n[0] + y * n[1] + z * n[2];
    V const c = factor[0], along_q = c * rn, along_n = c * rq;
    V const radial = factor[1] * rq * rn + c * (q[0] * n[0] + q[1] * n[1] + q[2] * n[2]);
    u[0] = u[0] + along_q * q[0] + along_n * n[0] + radial * x;
    u[1] = u[1] + along_q * q[1] + along_n * n[1] + radial * y;
    u[2] = u[2] + along_q * q[2] + along_n * n[2] + radial * z;
  }
};

template <>
struct NearPair<Kernel::stokes, false> {
  static constexpr int strengths = 9;
  static constexpr int results = 3;
  static constexpr int factor_count = 4;
  static constexpr int first_layer = 0, polynomials = 3;
  static constexpr int flops = 69;

  template <class V>
  NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
    NearPair<Kernel::stokeslet, false>::factors(layer, inverse, factor);
    NearPair<Kernel::stresslet, false>::double_layer(inverse, factor[1], layer[2], factor + 2);
  }
  template <class V>
  NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* f, V* u) {
    NearPair<Kernel::stokeslet, false>::add(factor, x, y, z, f, u);
    NearPair<Kernel::stresslet, false>::add(factor + 2, x, y, z, f + 3, u);
  }
};

template <>
struct NearPair<Kernel::laplace, false> {
  static constexpr int strengths = 1;
  static constexpr int results = 1;
  static constexpr int factor_count = 1;
  static constexpr int first_layer = 0, polynomials = 1;
  static constexpr int flops = 3;

  template <class V>
  NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
    factor[0] = inverse - layer[0];
  }
  template <class V>
  NEARFAR_FUNCTION static void add(V const* factor, V, V, V, V const* q, V* phi) {
    phi[0] = phi[0] + factor[0] * q[0];
  }
};

template <>
struct NearPair<Kernel::laplace, true> {
  static constexpr int strengths = 1;
  static constexpr int results = 4;
  static constexpr int factor_count = 2;
  static constexpr int first_layer = 0, polynomials = 2;
  static constexpr int flops = 11;

  template <class V>
  NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
    NearPair<Kernel::stokeslet, false>::factors(layer, inverse, factor);
  }
  template <class V>
  NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* q, V* phi) {
    V const radial = factor[1] * q[0];
    phi[0] = phi[0] + factor[0] * q[0];
    phi[1] = phi[1] - radial * x;
    phi[2] = phi[2] - radial * y;
    phi[3] = phi[3] - radial * z;
  }
};

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
    Pair::factors(even[n], inverse[n], factor[n]);
  }
}

}  // namespace nearfar
