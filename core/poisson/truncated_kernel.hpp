// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/bessel_k.hpp"
#include "core/math/function.hpp"

#include <cmath>

namespace nearfar {

/// Fourier transforms of Green's functions of -Laplace + kappa^2 cut at a
/// radius, with `open` open directions. Inside the radius the kernels are
///   open 3   1 / (4 pi r)                                   (kappa = 0)
///   open 2   K_0(kappa r) / (2 pi), or -ln(r) / (2 pi)      for kappa = 0
///   open 1   exp(-kappa |z|) / (2 kappa), or -|z| / 2       for kappa = 0
///   open 0   the transform is 1 / kappa^2; 0 for kappa = 0: the mean of the density has no effect
/// `k` is the length of the wave vector along the open directions. Vico, Greengard, Ferrando (2016) give the
/// first; the others are the same integral in two dimensions and one. `edge` holds K_0 and K_1 of radius times
/// kappa, used with two open directions and kappa > 0: many wave vectors share it. For hosts and devices.
NEARFAR_FUNCTION double truncated_kernel(int open, double radius, double k, double kappa, BesselK const& edge) {
  double const r = radius, x = r * k, squared = k * k + kappa * kappa;
  if (open == 3) {
    if (k == 0) return r * r / 2;
    double const s = std::sin(0.5 * x) / k;
    return 2 * s * s;
  }
  if (open == 2) {
    if (kappa > 0) return (1 + x * j1(x) * edge.k0 - r * kappa * j0(x) * edge.k1) / squared;
    if (k == 0) return r * r / 4 * (1 - 2 * std::log(r));
    return (1 - j0(x)) / squared - r * std::log(r) * j1(x) / k;
  }
  if (open == 1) {
    if (kappa > 0) return (1 + std::exp(-kappa * r) * (k / kappa * std::sin(x) - std::cos(x))) / squared;
    if (k == 0) return -r * r / 2;
    return (1 - std::cos(x)) / squared - r * std::sin(x) / k;
  }
  return kappa > 0 ? 1 / squared : 0;
}

}  // namespace nearfar
