// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/function.hpp"

#include <nearfar/kernel.hpp>

namespace nearfar {

/// What the far part does to one Fourier mode: multiplies the transformed strengths by the kernel's transform
/// (ewald.md, Sec. 1). `m` is 8 pi w / k^2 or 4 pi ghat / k^2 with all scaling; real and imaginary parts go separately.
template <Kernel K>
struct FarPair;

template <>
struct FarPair<Kernel::stokeslet> {
  static constexpr int components = 3;

  /// u = m (I - kk / k^2) f
  template <class T>
  NEARFAR_FUNCTION static void apply(T m, T const k[3], T inverse_k2, T f[3]) {
    T const along = (k[0] * f[0] + k[1] * f[1] + k[2] * f[2]) * inverse_k2;
    for (int d = 0; d < 3; ++d) f[d] = m * (f[d] - along * k[d]);
  }
};

template <>
struct FarPair<Kernel::laplace> {
  static constexpr int components = 1;

  template <class T>
  NEARFAR_FUNCTION static void apply(T m, T const*, T, T* q) {
    q[0] *= m;
  }
};

}  // namespace nearfar
