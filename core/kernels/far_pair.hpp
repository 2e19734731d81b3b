// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/kernel_layers.hpp"
#include "core/math/function.hpp"

namespace nearfar {

/// The far part of one Fourier mode: multiplies the transform of the spread strengths by that
/// of the kernel (ewald.md, Sec. 1), in place. `m` is 8 pi w / k^2 or 4 pi ghat / k^2 with
/// all scaling; forward_components(K) complex numbers come in, inverse_components(K) go out.
template <Kernel K>
struct FarPair;

template <>
struct FarPair<Kernel::stokeslet> {
  /// u = m (I - kk / k^2) f
  template <class T>
  NEARFAR_FUNCTION static void apply(T m, T const k[3], T inverse_k2, T re[3], T im[3]) {
    project(m, k, inverse_k2, re);
    project(m, k, inverse_k2, im);
  }

 private:
  template <class T>
  NEARFAR_FUNCTION static void project(T m, T const k[3], T inverse_k2, T f[3]) {
    T const along = (k[0] * f[0] + k[1] * f[1] + k[2] * f[2]) * inverse_k2;
    for (int d = 0; d < 3; ++d) f[d] = m * (f[d] - along * k[d]);
  }
};

/// A double layer, alone or with a single layer: g is the vector of both, s the scalar q.n.
template <>
struct FarPair<Kernel::stokes> {
  /// u = m [(I - kk / k^2) g + i k s]
  template <class T>
  NEARFAR_FUNCTION static void apply(T m, T const k[3], T inverse_k2, T re[4], T im[4]) {
    FarPair<Kernel::stokeslet>::apply(m, k, inverse_k2, re, im);
    for (int d = 0; d < 3; ++d) {
      re[d] -= m * k[d] * im[3];
      im[d] += m * k[d] * re[3];
    }
  }
};

template <>
struct FarPair<Kernel::laplace> {
  template <class T>
  NEARFAR_FUNCTION static void apply(T m, T const*, T, T* re, T* im) {
    re[0] *= m;
    im[0] *= m;
  }
};

}  // namespace nearfar
