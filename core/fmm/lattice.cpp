// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/lattice.hpp"

#include "core/fmm/harmonics.hpp"
#include "core/math/constants.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

using Real = long double;

/// Regularised incomplete gamma functions of n + 1/2 at x, for n = 0 .. degree: the upper ones by recurrence. The lower
/// ones are each summed as a series, since 1 minus the upper one would lose digits.
std::vector<Real> upper_gamma(int degree, Real x) {
  std::vector<Real> q(std::size_t(degree + 1));
  Real term = 2 * std::sqrt(x / pi<Real>) * std::exp(-x);  // x^a e^-x / Gamma(a + 1), a = 1/2
  q[0] = std::erfc(std::sqrt(x));
  for (int n = 1; n <= degree; ++n) {
    q[std::size_t(n)] = q[std::size_t(n - 1)] + term;
    term *= x / (n + 0.5L);
  }
  return q;
}
std::vector<Real> lower_gamma(int degree, Real x) {
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

  /// Calls visit(vector, |vector|^2, near) for all vectors but 0 within the sphere beyond which terms are below
  /// rounding, for degrees up to 2 * max_fmm_order; `reciprocal`: vectors of the reciprocal lattice.
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
    for (int i = -most[0]; i <= most[0]; ++i)
      for (int j = -most[1]; j <= most[1]; ++j)
        for (int k = -most[2]; k <= most[2]; ++k) {
          Real const v[3] = {i * unit[0], j * unit[1], k * unit[2]}, v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
          bool const near = std::max({std::abs(i), std::abs(j), std::abs(k)}) <= separation;
          if (v2 == 0 || (v2 > radius * radius && !near)) continue;
          visit(v, v2, near);
        }
  }
};

}  // namespace

std::vector<double> lattice_sums(int degree, int separation, std::array<double, 3> const& edge, double splitting) {
  Lattice const lattice(edge, splitting);
  std::vector<Real> harmonic(std::size_t(coefficient_count(degree))), sum(harmonic.size());
  auto add = [&](Real const* v, Real v2, auto const& factor) {
    irregular_harmonics<Real>(degree, v[0], v[1], v[2], 1 / std::sqrt(v2), harmonic.data());
    for (int n = 2; n <= degree; n += 2)
      for (int m = 0; m <= n; m += 2) {
        auto const i = std::size_t(real_index(n, m));
        sum[i] += factor(n) * harmonic[i];
      }
  };
  lattice.for_each(false, separation, [&](Real const* v, Real v2, bool near) {
    auto const gamma = near ? lower_gamma(degree, lattice.alpha2 * v2) : upper_gamma(degree, lattice.alpha2 * v2);
    add(v, v2, [&](int n) { return near ? -gamma[std::size_t(n)] : gamma[std::size_t(n)]; });
  });
  lattice.for_each(true, separation, [&](Real const* v, Real v2, bool) {
    std::vector<Real> factor(std::size_t(degree + 1));  // pi^(n-1/2) h^(2n-1) / Gamma(n+1/2) exp(...) / V
    Real f = std::exp(-pi<Real> * pi<Real> * v2 / lattice.alpha2) / (pi<Real> * std::sqrt(v2) * lattice.volume);
    for (int n = 0; n <= degree; f *= pi<Real> * v2 / (n + 0.5L), ++n) factor[std::size_t(n)] = f;
    add(v, v2, [&](int n) { return n % 4 == 0 ? factor[std::size_t(n)] : -factor[std::size_t(n)]; });
  });
  return std::vector<double>(sum.begin(), sum.end());
}

double lattice_constant(int separation, std::array<double, 3> const& edge, double splitting) {
  Lattice const lattice(edge, splitting);
  Real const alpha = std::sqrt(lattice.alpha2);
  Real sum = -2 * alpha / std::sqrt(pi<Real>) - pi<Real> / (lattice.alpha2 * lattice.volume);
  lattice.for_each(false, separation, [&](Real const*, Real v2, bool near) {
    Real const r = std::sqrt(v2);
    sum += (near ? -std::erf(alpha * r) : std::erfc(alpha * r)) / r;
  });
  lattice.for_each(true, separation, [&](Real const*, Real v2, bool) {
    sum += std::exp(-pi<Real> * pi<Real> * v2 / lattice.alpha2) / (pi<Real> * lattice.volume * v2);
  });
  return double(sum);
}

std::vector<double> make_lattice_table(int order, int separation, std::array<double, 3> const& aspect) {
  auto table = lattice_sums(2 * order, separation, aspect);
  for (int n = 0; n <= 2 * order; ++n)
    for (int i = n * n; i < (n + 1) * (n + 1); ++i) table[std::size_t(i)] = std::ldexp(table[std::size_t(i)], -n - 1);
  return table;
}

BoundaryTerms boundary_terms(CellMoments const& moments, double edge, int separation, Surrounding surrounding,
                             std::array<double, 3> const& aspect) {
  CellMoments seen = moments;
  if (surrounding == Surrounding::vacuum) {
    seen.second = 0;
    for (double& component : seen.dipole) component = 0;
  }
  return conductor_terms(seen, edge, lattice_constant(separation, aspect), aspect.data());
}

}  // namespace nearfar
