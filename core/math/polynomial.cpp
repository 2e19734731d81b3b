// SPDX-License-Identifier: BSD-3-Clause
#include "core/math/polynomial.hpp"

#include "core/math/constants.hpp"
#include "core/math/interpolant.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace nearfar {

namespace {

constexpr int nodes = 64;  // more than max_polynomial_degree + 1: truncating this series is near the best fit
constexpr int check_points = 257;

using Series = std::array<long double, nodes>;

/// cos(pi k / (2 nodes)) of one period: computing each where it is needed took a tenth of the time of a small solve.
std::array<long double, 4 * nodes> cosines() {
  std::array<long double, 4 * nodes> all;
  for (int k = 0; k < 4 * nodes; ++k) all[k] = std::cos(pi<long double> * k / (2 * nodes));
  return all;
}

Series chebyshev_series(std::function<long double(long double)> const& f) {
  static auto const cosine = cosines();
  Series value, series;
  for (int i = 0; i < nodes; ++i) value[i] = f(cosine[2 * i + 1]);
  for (int j = 0; j < nodes; ++j) {
    long double sum = 0;
    for (int i = 0; i < nodes; ++i) sum += value[i] * cosine[j * (2 * i + 1) % (4 * nodes)];
    series[j] = sum * (j == 0 ? 1.0L : 2.0L) / nodes;
  }
  return series;
}

template <class T>
std::array<T, check_points> places_to_check() {
  std::array<T, check_points> all;
  for (int i = 0; i < check_points; ++i) all[i] = static_cast<T>(-std::cos(pi<long double> * i / (check_points - 1)));
  return all;
}

/// Row j holds the monomial coefficients of the Chebyshev polynomial T_j; integers, exact in long double.
std::vector<Series> chebyshev_monomials() {
  std::vector<Series> rows(max_polynomial_degree + 1);
  for (Series& row : rows) row.fill(0);
  rows[0][0] = 1;
  rows[1][1] = 1;
  for (int j = 2; j <= max_polynomial_degree; ++j)
    for (int i = 0; i <= j; ++i) rows[j][i] = (i > 0 ? 2 * rows[j - 1][i - 1] : 0) - rows[j - 2][i];
  return rows;
}

}  // namespace

template <class T>
Polynomial<T> fit_polynomial(std::function<long double(long double)> const& f, double error, double* achieved,
                             int max_degree) {
  static std::vector<Series> const monomials = chebyshev_monomials();
  Series const series = chebyshev_series(f);

  // Ends included: a pair at distance zero evaluates at t = -1.
  static std::array<T, check_points> const point = places_to_check<T>();
  std::array<long double, check_points> exact;
  for (int i = 0; i < check_points; ++i) exact[i] = f(static_cast<long double>(point[i]));

  std::array<long double, nodes + 1> tail{};  // bound on what truncation after each degree leaves out
  for (int j = nodes - 1; j >= 0; --j) tail[j] = tail[j + 1] + std::abs(series[j]);

  Polynomial<T> best;
  double best_error = std::numeric_limits<double>::infinity();
  Series sum{};
  for (int degree = 0; degree <= max_degree; ++degree) {
    for (int i = 0; i <= degree; ++i) sum[i] += series[degree] * monomials[degree][i];
    bool const hopeless =
        tail[degree + 1] > std::max<long double>(8 * error, std::numeric_limits<T>::epsilon() * tail[0]);
    if (hopeless && degree < max_degree) continue;
    Polynomial<T> fit;
    fit.degree = degree;
    for (int i = 0; i <= degree; ++i) fit.coefficient[i] = static_cast<T>(sum[i]);
    double worst = 0;
    for (int i = 0; i < check_points; ++i)
      worst = std::max(worst, static_cast<double>(std::abs(fit(point[i]) - exact[i])));
    if (worst < 0.7 * best_error) {  // a higher degree must pay off: near the rounding level errors are noise
      best = fit;
      best_error = worst;
    }
    if (worst <= error) break;
  }
  if (achieved) *achieved = best_error;
  return best;
}

std::function<long double(long double)> chebyshev_interpolant(std::function<long double(long double)> const& f) {
  return [series = chebyshev_series(f)](long double t) {
    long double here = 0, after = 0;  // Clenshaw's recurrence
    for (int j = nodes - 1; j > 0; --j) {
      long double const before = 2 * t * here - after + series[j];
      after = here;
      here = before;
    }
    return t * here - after + series[0];
  };
}

template Polynomial<float> fit_polynomial(std::function<long double(long double)> const&, double, double*, int);
template Polynomial<double> fit_polynomial(std::function<long double(long double)> const&, double, double*, int);

}  // namespace nearfar
