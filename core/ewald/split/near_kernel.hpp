// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/split.hpp"
#include "core/math/polynomial.hpp"

#include <span>

namespace nearfar {

class Profile;

/// Coefficients of two neighbouring powers, loaded together.
template <class T>
struct alignas(2 * sizeof(T)) NearCoefficients {
  T even, odd;
};

/// The most layers of any kernel.
inline constexpr int max_near_layers = 4;

/// The near kernel without erf or exp (ewald.md, Sec. 1.1), t = 2 (r / cutoff)^2 - 1. Each layer of a kernel's
/// description is a polynomial of its own: the same cost as Horner for p and p', but differentiation amplifies no
/// error.
///   stokeslet         S = I a + rr b,                 a = 1/r - A(t), b = 1/r^3 - B(t);  A = E1/rc, B = E2/rc^3
///   laplace           phi = a,                        a = 1/r - A(t);                    A = p/rc
///   laplace gradient  grad = -b r,                    b = 1/r^3 - B(t);                  B = -2p'/rc^3
///   stresslet         T = rrr d + (I r + ...) c,      c = C(t), d = -(6 b + 2 c) / r^2;  C = E3/rc^3, B as above
///   second slopes     c' / r = F(t);                                                     F = E5/rc^5
/// d is -6/r^5 + E4/rc^5, but has no polynomial, which would need large values at r = 0 and be exact at rc.
/// At r = 0 drop the singular terms: what remains is the near part minus the full kernel, including the self term.
template <class T>
struct NearKernel {
  T cutoff_squared = 0;
  T scale = 0;      ///< t = scale * r^2 - 1, scale = 2 / rc^2
  T screening = 0;  ///< lam of kernels that have one, whose 1/r below is e^(-lam r) / r
  int degree = 1;   ///< of each layer: odd, and equal for all, so that they are evaluated together (near_pair.hpp)
  Polynomial<T> layer[max_near_layers];

  /// Coefficients of the powers 2 h and 2 h + 1.
  NEARFAR_FUNCTION NearCoefficients<T> coefficients(int layer_number, int h) const {
    T const* const two = layer[layer_number].coefficient + 2 * h;
    return {two[0], two[1]};
  }

  /// Pairs closer than 2^-10 of the cutoff are not summed in single precision inside a double solve.
  /// From there on, differences of coordinates in two parts (packed_source.hpp) are accurate to 2^-30 or
  /// better, and powers up to r^-5 are within the range of single precision. Hardly any pair is closer.
  NEARFAR_FUNCTION T close_squared() const { return cutoff_squared * T(0x1p-20); }
};

/// `error`: absolute error of the layers relative to their largest value; if T cannot reach it, as good as T allows.
template <class T>
NearKernel<T> make_near_kernel(Profile const& profile, std::span<Radial const> layers, double error);

}  // namespace nearfar
