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

/// What one source adds to one target within the cutoff (near_kernel.hpp has the formulas). Written once for scalars and
/// SIMD batches, hosts and devices: first the two radial factors, which the caller sets to zero beyond the cutoff,
/// then their use. `inverse` is 1/r, or 0 where r = 0, which drops the singular terms.
template <Kernel K, bool Gradient>
struct NearPair;

template <>
struct NearPair<Kernel::stokeslet, false> {
  static constexpr int strengths = 3;
  static constexpr int results = 3;
  static constexpr int polynomials = 2;

  template <class V, class T>
  NEARFAR_FUNCTION static void factors(NearKernel<T> const& k, V r2, V inverse, V& a, V& b) {
    V const t = V(k.scale) * r2 - V(T(1));
    a = inverse - horner(k.a, t);
    b = inverse * inverse * inverse - horner(k.b, t);
  }
  template <class V>
  NEARFAR_FUNCTION static void add(V a, V b, V x, V y, V z, V const* f, V* u) {
    V const radial = b * (x * f[0] + y * f[1] + z * f[2]);
    u[0] = u[0] + a * f[0] + radial * x;
    u[1] = u[1] + a * f[1] + radial * y;
    u[2] = u[2] + a * f[2] + radial * z;
  }
};

template <>
struct NearPair<Kernel::laplace, false> {
  static constexpr int strengths = 1;
  static constexpr int results = 1;
  static constexpr int polynomials = 1;

  template <class V, class T>
  NEARFAR_FUNCTION static void factors(NearKernel<T> const& k, V r2, V inverse, V& a, V&) {
    a = inverse - horner(k.a, V(k.scale) * r2 - V(T(1)));
  }
  template <class V>
  NEARFAR_FUNCTION static void add(V a, V, V, V, V, V const* q, V* phi) {
    phi[0] = phi[0] + a * q[0];
  }
};

template <>
struct NearPair<Kernel::laplace, true> {
  static constexpr int strengths = 1;
  static constexpr int results = 4;
  static constexpr int polynomials = 2;

  template <class V, class T>
  NEARFAR_FUNCTION static void factors(NearKernel<T> const& k, V r2, V inverse, V& a, V& b) {
    NearPair<Kernel::stokeslet, false>::factors(k, r2, inverse, a, b);
  }
  template <class V>
  NEARFAR_FUNCTION static void add(V a, V b, V x, V y, V z, V const* q, V* phi) {
    V const radial = b * q[0];
    phi[0] = phi[0] + a * q[0];
    phi[1] = phi[1] - radial * x;
    phi[2] = phi[2] - radial * y;
    phi[3] = phi[3] - radial * z;
  }
};

}  // namespace nearfar
