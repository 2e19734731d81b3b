// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/lattice_strain.hpp"

#include "core/fmm/complex_view.hpp"
#include "core/fmm/harmonics.hpp"
#include "core/fmm/lattice_vectors.hpp"

#include <cmath>
#include <complex>

namespace nearfar {

namespace {

using lattice::Lattice;
using lattice::Real;
using Complex = std::complex<Real>;

/// The derivatives of I_n^m along x, y and z, from the harmonics of one degree more (fmm.md, Sec. 1.1).
std::array<Complex, 3> gradient_of(Real const* harmonic, int n, int m) {
  Complex const up = coefficient(harmonic, n + 1, m + 1), down = coefficient(harmonic, n + 1, m - 1),
                here = coefficient(harmonic, n + 1, m);
  Real const half = 0.5L;
  return {half * (down - up), Complex(0, half) * (down + up), -here};
}

/// Adds to each component of a tensor what a vector and its mirror images add, whose terms are factor(n) I_n^m: factor
/// (v_b d_a + v_a d_b) I / 2 + along(n) v_a v_b I + both(n) delta_ab I. Of these, mirror images leave for a = b the
/// real parts of even orders m, for xy their imaginary ones, and for xz and yz the same of odd orders.
class StrainedSums {
 public:
  StrainedSums(int degree) : degree_(degree), harmonic_(std::size_t(coefficient_count(degree + 1))) {
    for (auto& sum : sums_) sum.assign(std::size_t(coefficient_count(degree)), 0);
  }

  struct Factors {
    Real of_slope, along, both;
  };
  template <class Of>
  void add(Real const* v, Real v2, Real images, Of const& of) {
    irregular_harmonics<Real>(degree_ + 1, v[0], v[1], v[2], 1 / std::sqrt(v2), harmonic_.data());
    for (int n = 2; n <= degree_; n += 2) {
      Factors const f = of(n);
      for (int m = 0; m <= n; ++m) {
        auto const slope = gradient_of(harmonic_.data(), n, m);
        Complex const here = coefficient(harmonic_.data(), n, m);
        for (int t = 0; t < virial_size; ++t) {
          auto const a = std::size_t(virial_axes(t).a), b = std::size_t(virial_axes(t).b);
          bool const odd = b == 2 && a != b, imaginary = a != b && !(a == 0 && b == 2);
          if (odd != (m % 2 == 1) || (imaginary && m == 0)) continue;
          Complex value = f.of_slope * Real(0.5L) * (v[b] * slope[a] + v[a] * slope[b]) + f.along * v[a] * v[b] * here;
          if (a == b) value += f.both * here;
          sums_[std::size_t(t)][std::size_t(imaginary ? imag_index(n, m) : real_index(n, m))] +=
              images * (imaginary ? value.imag() : value.real());
        }
      }
    }
  }
  std::array<std::vector<double>, virial_size> sums() const {
    std::array<std::vector<double>, virial_size> all;
    for (std::size_t t = 0; t < all.size(); ++t) all[t].assign(sums_[t].begin(), sums_[t].end());
    return all;
  }

 private:
  int degree_;
  std::vector<Real> harmonic_;
  std::array<std::vector<Real>, virial_size> sums_;
};

}  // namespace

std::array<std::vector<double>, virial_size> lattice_sums_by_strain(int degree, int separation,
                                                                    std::array<double, 3> const& edge,
                                                                    double splitting) {
  Lattice const cells(edge, splitting);
  Real const alpha2 = cells.alpha2, pi2 = pi<Real> * pi<Real>;
  StrainedSums sums(degree);
  auto const at = [](auto const& list, int n) { return list[std::size_t(n)]; };
  // Terms are g(alpha^2 k^2) I(k), with alpha kept, on which sums do not depend.
  cells.for_each(false, separation, [&](Real const* v, Real v2, Real images, bool near) {
    Real const x = alpha2 * v2;
    auto const gamma = near ? lattice::lower_gamma(degree, x) : lattice::upper_gamma(degree, x);
    std::vector<Real> density(std::size_t(degree + 1));  // x^(n-1/2) e^-x / Gamma(n+1/2): -g' of both
    Real d = std::exp(-x) / std::sqrt(pi<Real> * x);
    for (int n = 0; n <= degree; d *= x / (n + 0.5L), ++n) density[std::size_t(n)] = d;
    sums.add(v, v2, images, [&](int n) {
      return StrainedSums::Factors{near ? -at(gamma, n) : at(gamma, n), -2 * alpha2 * at(density, n), 0};
    });
  });
  // Terms are f(h) I(h) / V, and a strain takes from h what it adds to k.
  cells.for_each(true, separation, [&](Real const* v, Real v2, Real images, bool) {
    std::vector<Real> factor(std::size_t(degree + 1));
    Real f = std::exp(-pi2 * v2 / alpha2) / (pi<Real> * std::sqrt(v2) * cells.volume);
    for (int n = 0; n <= degree; f *= pi<Real> * v2 / (n + 0.5L), ++n) factor[std::size_t(n)] = n % 4 == 0 ? f : -f;
    sums.add(v, v2, images, [&](int n) {
      Real const here = at(factor, n);
      return StrainedSums::Factors{-here, -here * ((2 * n - 1) / v2 - 2 * pi2 / alpha2), -here};
    });
  });
  return sums.sums();
}

std::array<double, virial_size> lattice_constant_by_strain(int separation, std::array<double, 3> const& edge,
                                                           double splitting) {
  Lattice const cells(edge, splitting);
  Real const alpha = std::sqrt(cells.alpha2), pi2 = pi<Real> * pi<Real>;
  Real sums[virial_size] = {};
  // Of mirror images, what is not on the diagonal cancels.
  auto const add = [&](Real const* v, Real images, Real along, Real both) {
    for (int t = 0; t < virial_size; ++t) {
      auto const [a, b] = virial_axes(t);
      if (a == b) sums[t] += images * (along * v[a] * v[b] + both);
    }
  };
  Real const nothing[3] = {};
  add(nothing, 1, 0, pi<Real> / (cells.alpha2 * cells.volume));
  cells.for_each(false, separation, [&](Real const* v, Real v2, Real images, bool near) {
    Real const r = std::sqrt(v2), of_both = 2 * alpha / std::sqrt(pi<Real>) * std::exp(-cells.alpha2 * v2) / v2,
               error = near ? -std::erf(alpha * r) : std::erfc(alpha * r);
    add(v, images, -of_both - error / (v2 * r), 0);
  });
  cells.for_each(true, separation, [&](Real const* v, Real v2, Real images, bool) {
    Real const f = std::exp(-pi2 * v2 / cells.alpha2) / (pi<Real> * cells.volume * v2);
    add(v, images, 2 * f * (1 / v2 + pi2 / cells.alpha2), -f);
  });
  std::array<double, virial_size> all{};
  for (std::size_t t = 0; t < all.size(); ++t) all[t] = double(sums[t]);
  return all;
}

std::vector<double> make_lattice_strain_table(int order, int separation, std::array<double, 3> const& aspect) {
  std::vector<double> table;
  for (auto const& sum : lattice_sums_by_strain(2 * order, separation, aspect)) {
    std::size_t const begin = table.size();
    table.insert(table.end(), sum.begin(), sum.end());
    for (int n = 0; n <= 2 * order; ++n)
      for (int i = n * n; i < (n + 1) * (n + 1); ++i)
        table[begin + std::size_t(i)] = std::ldexp(table[begin + std::size_t(i)], -n - 1);
  }
  return table;
}

}  // namespace nearfar
