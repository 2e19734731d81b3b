// SPDX-License-Identifier: BSD-3-Clause
#include "core/math/prolate.hpp"

#include <cmath>

namespace nearfar {

namespace {

/// The vector of the smallest eigenvalue of a positive definite symmetric tridiagonal matrix, by inverse iteration.
/// The eigenvalues are about c, 5c, 9c, ...: each step gains a factor 5.
std::vector<long double> lowest_vector(std::vector<long double> const& diagonal, std::vector<long double> const& off) {
  int const n = static_cast<int>(diagonal.size());
  std::vector<long double> pivot(n), factor(n), v(n, 0.0L);
  pivot[0] = diagonal[0];
  for (int i = 1; i < n; ++i) {
    factor[i] = off[i - 1] / pivot[i - 1];
    pivot[i] = diagonal[i] - factor[i] * off[i - 1];
  }
  v[0] = 1;
  for (int step = 0; step < 40; ++step) {
    for (int i = 1; i < n; ++i) v[i] -= factor[i] * v[i - 1];
    v[n - 1] /= pivot[n - 1];
    for (int i = n - 2; i >= 0; --i) v[i] = v[i] / pivot[i] - factor[i + 1] * v[i + 1];
    long double norm = 0;
    for (long double x : v) norm += x * x;
    norm = std::sqrt(norm);
    for (long double& x : v) x /= norm;
  }
  return v;
}

/// int_x^1 t f(t) dt of an even Legendre expansion f:
/// int x P_k = [(k + 1) (P_{k+2} - P_k) / (2k + 3) + k (P_k - P_{k-2}) / (2k - 1)] / (2k + 1), which is 0 at x = 1.
std::vector<long double> outer_moment_of(std::vector<long double> const& legendre) {
  std::vector<long double> moment(legendre.size() + 1, 0);
  for (std::size_t i = 0; i < legendre.size(); ++i) {
    long double const k = 2 * i, b = legendre[i] / (2 * k + 1), up = b * (k + 1) / (2 * k + 3),
                      down = b * k / (2 * k - 1);
    moment[i + 1] -= up;
    moment[i] += up - down;
    if (i > 0) moment[i - 1] += down;
  }
  return moment;
}

/// Spherical Bessel functions of degrees 0 .. degrees at theta > 0, up to a factor, by downward recurrence.
struct SphericalBessel {
  std::vector<long double> value;
  long double norm;

  SphericalBessel(int degrees, long double theta) : value(degrees + 1) {
    int const start = std::max(degrees, static_cast<int>(theta)) + 60;
    long double above = 0, here = 1e-300L, inverse = 1 / theta;
    for (int k = start; k >= 0; --k) {
      if (k <= degrees) value[k] = here;
      long double const below = (2 * k + 1) * inverse * here - above;
      above = here;
      here = below;
    }
    long double const j0 = std::sin(theta) / theta, j1 = (j0 - std::cos(theta)) / theta;
    bool const first = theta < 1 || std::abs(j0) > std::abs(j1);
    norm = first ? j0 / value[0] : j1 / value[1];
  }
};

}  // namespace

Prolate::Prolate(double c) : c_(c) {
  int const terms = 36 + static_cast<int>(0.6 * c);
  std::vector<long double> diagonal(terms), off(terms);
  long double const c2 = static_cast<long double>(c) * c;
  for (int i = 0; i < terms; ++i) {
    long double const k = 2 * i;
    diagonal[i] = k * (k + 1) + c2 * (2 * k * (k + 1) - 1) / ((2 * k + 3) * (2 * k - 1));
    off[i] = c2 * (k + 2) * (k + 1) / ((2 * k + 3) * std::sqrt((2 * k + 1) * (2 * k + 5)));
  }
  legendre_ = lowest_vector(diagonal, off);
  for (int i = 0; i < terms; ++i) legendre_[i] *= std::sqrt(4.0L * i + 1);  // from normalised to plain Legendre
  while (legendre_.size() > 4 && std::abs(legendre_.back()) < 1e-24L * std::abs(legendre_.front()))
    legendre_.pop_back();
  long double const centre = value(0);
  for (long double& b : legendre_) b /= centre;
  moment_ = outer_moment_of(legendre_);
  second_outer_ = outer_moment_of(moment_);
}

// All series below run the recurrence k P_k = (2k - 1) x P_{k-1} - (k - 1) P_{k-2} upwards, two degrees per term.

namespace {

long double legendre_sum(std::vector<long double> const& coefficient, long double x) {
  long double even = 1, odd = x, sum = coefficient[0];
  for (std::size_t i = 1; i < coefficient.size(); ++i) {
    long double const k = 2 * i;
    even = ((2 * k - 1) * x * odd - (k - 1) * even) / k;
    odd = ((2 * k + 1) * x * even - k * odd) / (k + 1);
    sum += coefficient[i] * even;
  }
  return sum;
}

}  // namespace

long double Prolate::value(long double x) const { return legendre_sum(legendre_, x); }

long double Prolate::outer_moment(long double x) const { return legendre_sum(moment_, x); }

long double Prolate::second_outer_moment(long double x) const { return legendre_sum(second_outer_, x); }

long double Prolate::slope(long double x) const {
  long double even = 1, odd = 1, slope = 0, sum = 0;  // odd: P_k / x for odd k; slope: P_k' / x for even k
  for (std::size_t i = 1; i < legendre_.size(); ++i) {
    long double const k = 2 * i;
    slope += (2 * k - 1) * odd;  // P_k' = P_{k-2}' + (2k - 1) P_{k-1}
    even = ((2 * k - 1) * x * x * odd - (k - 1) * even) / k;
    odd = ((2 * k + 1) * even - k * odd) / (k + 1);
    sum += legendre_[i] * slope;
  }
  return sum;
}

long double Prolate::bend(long double x) const {
  // Differentiates the recurrences of `slope`, and divides by x again.
  long double even = 1, odd = 1, slope = 0, odd_slope = 0, bend = 0, sum = 0;
  for (std::size_t i = 1; i < legendre_.size(); ++i) {
    long double const k = 2 * i;
    slope += (2 * k - 1) * odd;
    bend += (2 * k - 1) * odd_slope;
    even = ((2 * k - 1) * x * x * odd - (k - 1) * even) / k;
    odd = ((2 * k + 1) * even - k * odd) / (k + 1);
    odd_slope = ((2 * k + 1) * slope - k * odd_slope) / (k + 1);
    sum += legendre_[i] * bend;
  }
  return sum;
}

long double Prolate::derivative(long double x) const { return x * slope(x); }

long double Prolate::second(long double x) const {
  long double even = 1, odd = x, odd1 = 1, even2 = 0, sum = 0;
  for (std::size_t i = 1; i < legendre_.size(); ++i) {
    long double const k = 2 * i;
    even2 += (2 * k - 1) * odd1;
    even = ((2 * k - 1) * x * odd - (k - 1) * even) / k;
    odd1 += (2 * k + 1) * even;
    odd = ((2 * k + 1) * x * even - k * odd) / (k + 1);
    sum += legendre_[i] * even2;
  }
  return sum;
}

long double Prolate::integral(long double x) const {
  long double even = 1, odd = 1, sum = legendre_[0];  // of P_k, divided by x: (P_{k+1} - P_{k-1}) / ((2k + 1) x)
  for (std::size_t i = 1; i < legendre_.size(); ++i) {
    long double const k = 2 * i;
    long double const below = odd;
    even = ((2 * k - 1) * x * x * odd - (k - 1) * even) / k;
    odd = ((2 * k + 1) * even - k * odd) / (k + 1);
    sum += legendre_[i] * (odd - below) / (2 * k + 1);
  }
  return x * sum;
}

long double Prolate::second_moment() const { return 1 / 3.0L + 2 * legendre_[1] / (15 * legendre_[0]); }

Prolate::Transform Prolate::transform(long double theta) const {
  if (theta == 0) return {legendre_[0], 0};
  // int_0^1 P_k(x) cos(theta x) dx = (-1)^{k/2} j_k(theta) for even k.
  auto const [bessel, norm] = SphericalBessel(2 * static_cast<int>(legendre_.size()), theta);
  Transform sum{0, 0};
  for (std::size_t i = 0; i < legendre_.size(); ++i) {
    int const k = 2 * static_cast<int>(i);
    long double const b = (i % 2 == 0 ? norm : -norm) * legendre_[i];
    long double const lower = k == 0 ? 0 : k * bessel[k - 1];
    sum.value += b * bessel[k];
    sum.derivative += b * (lower - (k + 1) * bessel[k + 1]) / (2 * k + 1);
  }
  return sum;
}

long double Prolate::second_outer_transform(long double theta) const {
  if (theta == 0) return second_outer_[0];
  auto const [bessel, norm] = SphericalBessel(2 * static_cast<int>(second_outer_.size()), theta);
  long double sum = 0;
  for (std::size_t i = 0; i < second_outer_.size(); ++i)
    sum += (i % 2 == 0 ? norm : -norm) * second_outer_[i] * bessel[2 * i];
  return sum;
}

}  // namespace nearfar
