// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <nearfar/kernel.hpp>

namespace nearfar {

/// What one source adds to one target in free space, r = (x, y, z) = target - source; `inverse` is
/// 1/|r|, or 0 where nothing is to be added. The formulas of core/kernels/direct.hpp, written once for
/// scalars and SIMD batches, hosts and devices. `flops` is for cost models and excludes r and `inverse`.
template <Kernel K, bool Gradient>
struct BarePair;

template <>
struct BarePair<Kernel::stokeslet, false> {
  static constexpr int strengths = 3;
  static constexpr int results = 3;
  static constexpr int flops = 20;

  template <class V>
  NEARFAR_FUNCTION static void add(V inverse, V x, V y, V z, V const* f, V* u) {
    V const radial = (x * f[0] + y * f[1] + z * f[2]) * (inverse * inverse);
    u[0] = u[0] + inverse * (f[0] + radial * x);
    u[1] = u[1] + inverse * (f[1] + radial * y);
    u[2] = u[2] + inverse * (f[2] + radial * z);
  }
};

template <>
struct BarePair<Kernel::stresslet, false> {
  static constexpr int strengths = 6;
  static constexpr int results = 3;
  static constexpr int flops = 22;

  template <class V>
  NEARFAR_FUNCTION static void add(V inverse, V x, V y, V z, V const* q, V* u) {
    V const *const n = q + 3, inverse2 = inverse * inverse;
    V const rq = x * q[0] + y * q[1] + z * q[2], rn = x * n[0] + y * n[1] + z * n[2];
    V const radial = V(-6) * (rq * rn) * (inverse2 * inverse2 * inverse);
    u[0] = u[0] + radial * x;
    u[1] = u[1] + radial * y;
    u[2] = u[2] + radial * z;
  }
};

template <>
struct BarePair<Kernel::stokes, false> {
  static constexpr int strengths = 9;
  static constexpr int results = 3;
  static constexpr int flops = 38;

  template <class V>
  NEARFAR_FUNCTION static void add(V inverse, V x, V y, V z, V const* f, V* u) {
    V const *const q = f + 3, *const n = f + 6, inverse2 = inverse * inverse;
    V const rq = x * q[0] + y * q[1] + z * q[2], rn = x * n[0] + y * n[1] + z * n[2];
    V const rf = x * f[0] + y * f[1] + z * f[2];
    V const radial = (rf - V(6) * (rq * rn) * inverse2) * inverse2;
    u[0] = u[0] + inverse * (f[0] + radial * x);
    u[1] = u[1] + inverse * (f[1] + radial * y);
    u[2] = u[2] + inverse * (f[2] + radial * z);
  }
};

template <>
struct BarePair<Kernel::laplace, false> {
  static constexpr int strengths = 1;
  static constexpr int results = 1;
  static constexpr int flops = 2;

  template <class V>
  NEARFAR_FUNCTION static void add(V inverse, V, V, V, V const* q, V* phi) {
    phi[0] = phi[0] + inverse * q[0];
  }
};

template <>
struct BarePair<Kernel::laplace, true> {
  static constexpr int strengths = 1;
  static constexpr int results = 4;
  static constexpr int flops = 10;

  template <class V>
  NEARFAR_FUNCTION static void add(V inverse, V x, V y, V z, V const* q, V* phi) {
    V const potential = inverse * q[0], radial = potential * (inverse * inverse);
    phi[0] = phi[0] + potential;
    phi[1] = phi[1] - radial * x;
    phi[2] = phi[2] - radial * y;
    phi[3] = phi[3] - radial * z;
  }
};

/// Flops per pair, including r (3), its square (5) and its inverse root (counted as 8).
template <Kernel K, bool Gradient>
constexpr double bare_pair_flops() {
  return 16 + BarePair<K, Gradient>::flops;
}

}  // namespace nearfar
