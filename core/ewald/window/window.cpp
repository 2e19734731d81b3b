// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/window/window.hpp"

#include "core/ewald/window/window_function.hpp"
#include "core/math/expects.hpp"
#include "core/math/polynomial.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

double window_value(WindowShape const& w, double t) { return static_cast<double>(WindowFunction(w).value(t)); }

double window_derivative(WindowShape const& w, double t) {
  return static_cast<double>(WindowFunction(w).derivative(t));
}

double window_second(WindowShape const& w, double t) { return static_cast<double>(WindowFunction(w).second(t)); }

double window_transform(WindowShape const& w, double theta) { return WindowFunction(w).transform(theta); }

namespace {

/// Fits every bin; all get the degree of the worst one, so that a row of the window is one vector operation.
template <class T, class F>
int fit_bins(WindowShape const& w, double error, F const& function, T (&table)[max_window_degree + 1][window_row]) {
  int const points = w.points;
  int degree = 0;
  for (int bin = 0; bin < points; ++bin) {
    // Bin i holds t = 2 (i + offset) / P - 1 with offset = (s + 1) / 2. Clamped: t = 1 + rounding is still inside.
    Polynomial<T> const fit = fit_polynomial<T>(
        [&](long double s) { return function(std::clamp((2 * bin + 1 + s) / points - 1, -1.0L, 1.0L)); }, error,
        nullptr, max_window_degree);
    for (int d = 0; d <= fit.degree; ++d) table[d][bin] = fit.coefficient[d];
    degree = std::max(degree, fit.degree);
  }
  return degree;
}

template <class T>
GaussianTable<T> make_gaussian_table(WindowShape const& w) {
  GaussianTable<T> table;
  long double const decay = 4.0L * w.shape / (w.points * w.points), step = w.slopes ? std::exp(-1.0L * w.shape) : 0;
  table.decay = static_cast<double>(decay);
  for (int i = 0; i < w.points; ++i) {
    long double const j = i - 0.5L * (w.points - 1);
    table.centre[i] = static_cast<T>(std::exp(-decay * j * j) / (1 - step));
    table.step[i] = static_cast<T>(step / (1 - step));
    table.rise[i] = static_cast<T>(-2 * decay * j);
  }
  return table;
}

}  // namespace

template <class T>
WindowTable<T> make_window_table(WindowShape const& w, double error) {
  EXPECTS(w.points > 0 && w.points <= max_window_points, w.points);
  EXPECTS(w.slopes >= 0 && w.slopes <= 2, w.slopes);
  WindowFunction const function(w);
  WindowTable<T> table;
  table.points = w.points;
  if (w.window == Window::gaussian && w.slopes < 2) {
    table.gaussian = make_gaussian_table<T>(w);
    return table;
  }
  table.degree = fit_bins(
      w, error, [&](long double t) { return function.value(t); }, table.value);
  if (w.slopes == 0) return table;
  long double const per_grid_point = 2.0L / w.points;  // dt / dx_g
  int const slope_degree = fit_bins(
      w, error, [&](long double t) { return per_grid_point * function.derivative(t); }, table.slope);
  table.degree = std::max(table.degree, slope_degree);
  if (w.slopes == 1) return table;
  int const second_degree = fit_bins(
      w, error, [&](long double t) { return per_grid_point * per_grid_point * function.second(t); }, table.second);
  table.degree = std::max(table.degree, second_degree);
  return table;
}

template WindowTable<float> make_window_table(WindowShape const&, double);
template WindowTable<double> make_window_table(WindowShape const&, double);

}  // namespace nearfar
