// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/bessel_k.hpp"
#include "core/math/constants.hpp"
#include "core/math/function.hpp"

#include <array>
#include <cmath>

namespace nearfar {

/// Green's functions of -Laplace + kappa^2 in space, as listed in truncated_kernel.hpp, with 1 to 3 open
/// directions. `r` is the distance along these, and above 0 if 2 or 3 are open. For hosts and devices.
NEARFAR_FUNCTION double sampled_kernel(int open, double r, double kappa) {
  if (open == 3) return 1 / (4 * pi<double> * r);
  if (open == 2) return (kappa > 0 ? bessel_k(kappa * r).k0 : -std::log(r)) / (2 * pi<double>);
  return kappa > 0 ? std::exp(-kappa * r) / (2 * kappa) : -0.5 * r;
}

/// The average of that kernel over a cell around r = 0 with these edges along the open directions (the first `open`).
/// In closed form, except for K_0: its integral over the radius is closed, that over the angle by quadrature.
double central_average(int open, std::array<double, 3> const& edges, double kappa);

}  // namespace nearfar
