// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/polynomial.hpp"

#include <nearfar/kernel.hpp>

namespace nearfar {

class Profile;

/// The near kernel without erf or exp (ewald.md, Sec. 1.1), t = 2 (r / cutoff)^2 - 1. Each layer has a polynomial of
/// its own (same cost as Horner for p and p', but no error amplified by differentiation):
///   stokeslet         S = I (1/r - a(t)) + rr (1/r^3 - b(t)),   a = E1/rc, b = E2/rc^3
///   laplace           phi = 1/r - a(t),                        a = p/rc
///   laplace gradient  grad = -(1/r^3 - b(t)) r,                b = -2p'/rc^3
/// At r = 0 drop the singular terms: what is left is the near part minus the full kernel there, the self term included.
template <class T>
struct NearKernel {
  T cutoff_squared = 0;
  T scale = 0;  ///< t = scale * r^2 - 1, scale = 2 / rc^2
  Polynomial<T> a;
  Polynomial<T> b;
};

/// `error`: absolute error of the layers relative to their largest value; as good as T allows when that is not reached.
template <class T>
NearKernel<T> make_near_kernel(Profile const& profile, Kernel kernel, double error);

}  // namespace nearfar
