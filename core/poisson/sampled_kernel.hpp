// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

namespace nearfar {

/// Green's functions of -Laplace + kappa^2 in space, as truncated_kernel.hpp lists them, where 1 to 3 directions are
/// open. `r` is the distance along these and above 0 where they are 2 or 3.
double sampled_kernel(int open, double r, double kappa);

/// The average of that kernel over a cell around r = 0, with these edges along the open directions (the first `open`).
/// Closed forms, but for K_0, whose integral over the radius has one and that over the angle is by quadrature.
double central_average(int open, std::array<double, 3> const& edges, double kappa);

/// The average of 1 / (4 pi r) over a cell of these edges around `centre`: the integrated Green's function of Qiang,
/// Lidia, Ryne, Limborg-Deprey (Phys. Rev. ST Accel. Beams 9 (2006) 044204, and erratum). By its closed form near the
/// origin, by quadrature far from it, where the closed form cancels.
double cell_average(std::array<double, 3> const& centre, std::array<double, 3> const& edges);

}  // namespace nearfar
