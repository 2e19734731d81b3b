// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/constants.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace nearfar {

/// What sums over lattices by Ewald's method are made from (core/fmm/lattice.hpp).
namespace lattice {

using Real = long double;

/// Regularised incomplete gamma functions of n + 1/2 at x, for n = 0 .. degree: the upper ones by recurrence. The lower
/// ones are each summed as a series, since 1 minus the upper one would lose digits.
inline std::vector<Real> upper_gamma(int degree, Real x) {
  std::vector<Real> q(std::size_t(degree + 1));
  Real term = 2 * std::sqrt(x / pi<Real>) * std::exp(-x);  // x^a e^-x / Gamma(a + 1), a = 1/2
  q[0] = std::erfc(std::sqrt(x));
  for (int n = 1; n <= degree; ++n) {
    q[std::size_t(n)] = q[std::size_t(n - 1)] + term;
    term *= x / (n + 0.5L);
  }
  return q;
}
inline std::vector<Real> lower_gamma(int degree, Real x) {
  std::vector<Real> p(std::size_t(degree + 1));
  Real first = 2 * std::sqrt(x / pi<Real>) * std::exp(-x);
  for (int n = 0; n <= degree; ++n) {
    Real sum = 0, term = first;
    for (int k = 1; sum + term != sum; ++k) {
      sum += term;
      term *= x / (n + 0.5L + k);
    }
    p[std::size_t(n)] = sum;
    first *= x / (n + 1.5L);
  }
  return p;
}

/// The lattice with edges `edge`, and Ewald's parameter for it.
struct Lattice {
  Real edge[3], volume, alpha2;

  Lattice(std::array<double, 3> const& e, double splitting) : edge{e[0], e[1], e[2]} {
    volume = edge[0] * edge[1] * edge[2];
    alpha2 = splitting * splitting * pi<Real> / std::cbrt(volume * volume);
  }

  /// Calls visit(vector, |vector|^2, images, near) for the vectors but 0 of an octant, its planes and axes included,
  /// within the sphere beyond which terms are below rounding, for degrees up to 2 * max_fmm_order; `reciprocal`:
  /// vectors of the reciprocal lattice; `images`: how many vectors a vector and its mirror images are.
  template <class Visit>
  void for_each(bool reciprocal, int separation, Visit const& visit) const {
    Real const x = 220;  // the gamma functions and exponentials decay in alpha^2 k^2, or pi^2 h^2 / alpha^2
    Real const radius = reciprocal ? std::sqrt(x * alpha2) / pi<Real> : std::sqrt(x / alpha2);
    Real unit[3];
    int most[3];
    for (int d = 0; d < 3; ++d) {
      unit[d] = reciprocal ? 1 / edge[d] : edge[d];
      most[d] = std::max(int(radius / unit[d]), reciprocal ? 0 : separation);
    }
    for (int i = 0; i <= most[0]; ++i)
      for (int j = 0; j <= most[1]; ++j)
        for (int k = 0; k <= most[2]; ++k) {
          Real const v[3] = {i * unit[0], j * unit[1], k * unit[2]}, v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
          bool const near = std::max({i, j, k}) <= separation;
          if (v2 == 0 || (v2 > radius * radius && !near)) continue;
          visit(v, v2, Real(1 << (int(i > 0) + int(j > 0) + int(k > 0))), near);
        }
  }
};

}  // namespace lattice
}  // namespace nearfar
