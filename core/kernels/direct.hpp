// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <nearfar/kernel.hpp>

#include <cmath>

namespace nearfar {

/// Adds the contribution of one source to one target in free space, r = target - source, R = |r|; none at R = 0.
/// Rows as in BasicEwald (ewald.md, Sec. 0):
///   stokeslet  u += f / R + r (r.f) / R^3                 strength f
///   stresslet  u += -6 r (r.q)(r.n) / R^5                 strength q, n
///   stokes     both                                       strength f, q, n
///   laplace    phi += q / R, gradient += -q r / R^3       strength q
template <Kernel kernel, bool gradient, class T>
NEARFAR_FUNCTION void add_pair(T const* r, T const* strength, T* result) {
  T const r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  if (r2 == T(0)) return;
  T const inverse = T(1) / std::sqrt(r2);
  T const inverse3 = inverse * inverse * inverse;

  if constexpr (kernel == Kernel::laplace) {
    result[0] += strength[0] * inverse;
    if constexpr (gradient)
      for (int j = 0; j < 3; ++j) result[1 + j] -= strength[0] * inverse3 * r[j];
  }
  if constexpr (kernel == Kernel::stokeslet || kernel == Kernel::stokes) {
    T const* f = strength;
    T const along = (r[0] * f[0] + r[1] * f[1] + r[2] * f[2]) * inverse3;
    for (int j = 0; j < 3; ++j) result[j] += f[j] * inverse + along * r[j];
  }
  if constexpr (kernel == Kernel::stresslet || kernel == Kernel::stokes) {
    T const* q = strength + (kernel == Kernel::stokes ? 3 : 0);
    T const* n = q + 3;
    T const rq = r[0] * q[0] + r[1] * q[1] + r[2] * q[2];
    T const rn = r[0] * n[0] + r[1] * n[1] + r[2] * n[2];
    T const along = T(-6) * rq * rn * inverse3 * inverse * inverse;
    for (int j = 0; j < 3; ++j) result[j] += along * r[j];
  }
}

}  // namespace nearfar
