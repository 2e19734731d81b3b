// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/constants.hpp"
#include "core/math/function.hpp"

#include <cmath>

namespace nearfar {

namespace cells {

/// A function whose mixed derivative in x, y, z is 1 / r.
NEARFAR_FUNCTION double primitive(double x, double y, double z) {
  double const r = std::sqrt(x * x + y * y + z * z);
  return y * z * std::log(x + r) + x * z * std::log(y + r) + x * y * std::log(z + r) -
         0.5 * (x * x * std::atan(y * z / (x * r)) + y * y * std::atan(x * z / (y * r)) +
                z * z * std::atan(x * y / (z * r)));
}

/// Lengths in units of about an edge: logarithms of very long ones would hide the differences.
NEARFAR_FUNCTION double closed_form(double const (&centre)[3], double const (&edges)[3], double longest) {
  int const unit = std::ilogb(longest);
  double sum = 0, volume = 1, c[3], h[3];
  for (int d = 0; d < 3; ++d) {
    c[d] = std::ldexp(centre[d], -unit);
    h[d] = std::ldexp(edges[d], -unit);
    volume *= h[d];
  }
  for (int corner = 0; corner < 8; ++corner) {
    double const x = corner & 1 ? 0.5 : -0.5, y = corner & 2 ? 0.5 : -0.5, z = corner & 4 ? 0.5 : -0.5;
    sum += 8 * x * y * z * primitive(c[0] + x * h[0], c[1] + y * h[1], c[2] + z * h[2]);
  }
  return std::ldexp(sum / (4 * pi<double> * volume), -unit);
}

/// Gauss-Legendre with three points per direction: beyond 8
/// cells from the origin, its relative error is below 1e-9.
NEARFAR_FUNCTION double by_quadrature(double const (&c)[3], double const (&h)[3]) {
  double const node = 0.5 * std::sqrt(0.6);
  double sum = 0;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k) {
        double const x = c[0] + i * node * h[0], y = c[1] + j * node * h[1], z = c[2] + k * node * h[2];
        double const weight = (i ? 5.0 : 8.0) * (j ? 5.0 : 8.0) * (k ? 5.0 : 8.0);
        sum += weight / std::sqrt(x * x + y * y + z * z);
      }
  return sum / (18.0 * 18 * 18 * 4 * pi<double>);
}

}  // namespace cells

/// The average of 1 / (4 pi r) over a cell of these edges around `centre`: the integrated Green's function of Qiang,
/// Lidia, Ryne, Limborg-Deprey (Phys. Rev. ST Accel. Beams 9 (2006) 044204, and erratum). By its closed form near the
/// origin, by quadrature far from it, where the closed form cancels. For hosts and devices.
NEARFAR_FUNCTION double cell_average(double const (&centre)[3], double const (&edges)[3]) {
  double longest = 0, squared = 0;
  for (int d = 0; d < 3; ++d) {
    longest = std::fmax(longest, edges[d]);
    squared += centre[d] * centre[d];
  }
  return squared < 64 * longest * longest ? cells::closed_form(centre, edges, longest)
                                          : cells::by_quadrature(centre, edges);
}

}  // namespace nearfar
