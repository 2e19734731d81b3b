// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/near_kernel.hpp"

namespace nearfar {

/// Horner for a scalar or a SIMD batch V of T.
template <class V, class T>
NEARFAR_FUNCTION V horner(Polynomial<T> const& p, V t) {
  V sum = V(p.coefficient[p.degree]);
  for (int i = p.degree - 1; i >= 0; --i) sum = sum * t + V(p.coefficient[i]);
  return sum;
}

/// What one source adds to one target within the cutoff (near_kernel.hpp has the formulas). Written once for scalars
/// and SIMD batches, hosts and devices: first the radial factors, which the caller sets to zero beyond the cutoff, then
/// their use. `inverse` is 1/r, or 0 where r = 0, which drops the singular terms. The numbers are for cost models:
/// polynomials per pair, and flops to use the factors.
template <Kernel K, bool Gradient>
struct NearPair;

template <>
struct NearPair<Kernel::stokeslet, false> {
  static constexpr int strengths = 3;
  static constexpr int results = 3;
  static constexpr int factor_count = 2;
  static constexpr int polynomials = 2;
  static constexpr int flops = 21;

  template <class V, class T>
  NEARFAR_FUNCTION static void factors(NearKernel<T> const& k, V r2, V inverse, V* factor) {
    V const t = V(k.scale) * r2 - V(T(1));
    factor[0] = inverse - horner(k.a, t);
    factor[1] = inverse * inverse * inverse - horner(k.b, t);
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
  static constexpr int polynomials = 2;
  static constexpr int flops = 48;

  template <class V, class T>
  NEARFAR_FUNCTION static void factors(NearKernel<T> const& k, V r2, V inverse, V* factor) {
    V const t = V(k.scale) * r2 - V(T(1));
    double_layer(inverse, inverse * inverse * inverse - horner(k.b, t), horner(k.c, t), factor);
  }
  /// c and d from b and c.
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
  static constexpr int polynomials = 3;
  static constexpr int flops = 69;

  template <class V, class T>
  NEARFAR_FUNCTION static void factors(NearKernel<T> const& k, V r2, V inverse, V* factor) {
    NearPair<Kernel::stokeslet, false>::factors(k, r2, inverse, factor);
    V const c = horner(k.c, V(k.scale) * r2 - V(T(1)));
    NearPair<Kernel::stresslet, false>::double_layer(inverse, factor[1], c, factor + 2);
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
  static constexpr int polynomials = 1;
  static constexpr int flops = 3;

  template <class V, class T>
  NEARFAR_FUNCTION static void factors(NearKernel<T> const& k, V r2, V inverse, V* factor) {
    factor[0] = inverse - horner(k.a, V(k.scale) * r2 - V(T(1)));
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
  static constexpr int polynomials = 2;
  static constexpr int flops = 11;

  template <class V, class T>
  NEARFAR_FUNCTION static void factors(NearKernel<T> const& k, V r2, V inverse, V* factor) {
    NearPair<Kernel::stokeslet, false>::factors(k, r2, inverse, factor);
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

}  // namespace nearfar
