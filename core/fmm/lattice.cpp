// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/lattice.hpp"

#include "core/fmm/harmonics.hpp"
#include "core/fmm/lattice_vectors.hpp"

#include <cmath>

namespace nearfar {

namespace {

using lattice::Lattice;
using lattice::Real;

}  // namespace

std::vector<double> lattice_sums(int degree, int separation, std::array<double, 3> const& edge, double splitting) {
  Lattice const cells(edge, splitting);
  std::vector<Real> harmonic(std::size_t(coefficient_count(degree))), sum(harmonic.size());
  // The terms of even n and m are alike for mirror images; all others cancel.
  auto add = [&](Real const* v, Real v2, Real images, auto const& factor) {
    irregular_harmonics<Real>(degree, v[0], v[1], v[2], 1 / std::sqrt(v2), harmonic.data());
    for (int n = 2; n <= degree; n += 2)
      for (int m = 0; m <= n; m += 2) {
        auto const i = std::size_t(real_index(n, m));
        sum[i] += images * factor(n) * harmonic[i];
      }
  };
  cells.for_each(false, separation, [&](Real const* v, Real v2, Real images, bool near) {
    auto const gamma =
        near ? lattice::lower_gamma(degree, cells.alpha2 * v2) : lattice::upper_gamma(degree, cells.alpha2 * v2);
    add(v, v2, images, [&](int n) { return near ? -gamma[std::size_t(n)] : gamma[std::size_t(n)]; });
  });
  cells.for_each(true, separation, [&](Real const* v, Real v2, Real images, bool) {
    std::vector<Real> factor(std::size_t(degree + 1));  // pi^(n-1/2) h^(2n-1) / Gamma(n+1/2) exp(...) / V
    Real f = std::exp(-pi<Real> * pi<Real> * v2 / cells.alpha2) / (pi<Real> * std::sqrt(v2) * cells.volume);
    for (int n = 0; n <= degree; f *= pi<Real> * v2 / (n + 0.5L), ++n) factor[std::size_t(n)] = f;
    add(v, v2, images, [&](int n) { return n % 4 == 0 ? factor[std::size_t(n)] : -factor[std::size_t(n)]; });
  });
  return std::vector<double>(sum.begin(), sum.end());
}

double lattice_constant(int separation, std::array<double, 3> const& edge, double splitting) {
  Lattice const cells(edge, splitting);
  Real const alpha = std::sqrt(cells.alpha2);
  Real sum = -2 * alpha / std::sqrt(pi<Real>) - pi<Real> / (cells.alpha2 * cells.volume);
  cells.for_each(false, separation, [&](Real const*, Real v2, Real images, bool near) {
    Real const r = std::sqrt(v2);
    sum += images * (near ? -std::erf(alpha * r) : std::erfc(alpha * r)) / r;
  });
  cells.for_each(true, separation, [&](Real const*, Real v2, Real images, bool) {
    sum += images * std::exp(-pi<Real> * pi<Real> * v2 / cells.alpha2) / (pi<Real> * cells.volume * v2);
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
