// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/constants.hpp"

#include <array>
#include <cmath>
#include <vector>

/// Densities whose potential is known, at the centres of cells; -Laplace(phi) = rho.
namespace nearfar::known {

struct Case {
  std::vector<double> density, potential;
  std::array<std::vector<double>, 3> field;  ///< of the Gaussian
};

template <class Visit>
void for_each_cell(std::array<int, 3> const& n, std::array<double, 3> const& box, Visit visit) {
  for (int x = 0; x < n[0]; ++x)
    for (int y = 0; y < n[1]; ++y)
      for (int z = 0; z < n[2]; ++z)
        visit(std::array{(x + 0.5) * box[0] / n[0], (y + 0.5) * box[1] / n[1], (z + 0.5) * box[2] / n[2]});
}

/// A unit charge of width sigma.
inline Case gaussian(std::array<int, 3> const& n, std::array<double, 3> const& box, std::array<double, 3> const& centre,
                     double sigma = 0.05) {
  Case c;
  for_each_cell(n, box, [&](std::array<double, 3> const& at) {
    double const x[3] = {at[0] - centre[0], at[1] - centre[1], at[2] - centre[2]};
    double const r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], r = std::sqrt(r2),
                 bell = std::exp(-r2 / (2 * sigma * sigma));
    double const inside = std::erf(r / (std::sqrt(2.0) * sigma)), root = std::sqrt(2 / pi<double>);
    c.density.push_back(bell / std::pow(2 * pi<double> * sigma * sigma, 1.5));
    c.potential.push_back(r > 0 ? inside / (4 * pi<double> * r) : root / (4 * pi<double> * sigma));
    for (std::size_t d = 0; d < 3; ++d)
      c.field[d].push_back(r > 0 ? x[d] / (4 * pi<double> * r2) * (inside / r - root * bell / sigma) : 0);
  });
  return c;
}

/// Radius 1, density 4 pi, in the middle of a box of 2.4.
inline Case sphere(int n) {
  Case c;
  for_each_cell({n, n, n}, {2.4, 2.4, 2.4}, [&](std::array<double, 3> const& at) {
    double const r = std::hypot(at[0] - 1.2, at[1] - 1.2, at[2] - 1.2);
    c.density.push_back(r <= 1 ? 4 * pi<double> : 0);
    c.potential.push_back(r <= 1 ? 2 * pi<double> / 3 * (3 - r * r) : 4 * pi<double> / (3 * r));
  });
  return c;
}

}  // namespace nearfar::known
