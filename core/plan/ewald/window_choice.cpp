// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/window_choice.hpp"

#include "core/math/constants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace nearfar {

namespace {

struct Range {
  double low, high;
};

/// Range of the shape parameter to search, per grid point of the window. On finer grids the best window is narrower.
Range shapes(Window window, double finer) {
  if (window == Window::gaussian) return {0.9, 1.6 + 0.8 * (finer - 1)};
  return {1.4, std::min(pi<double>, 2.5 + 0.9 * (finer - 1))};
}

/// The least shape whose transform has no zero among the modes that it is divided by: rounding near one is amplified
/// without bound, and the model, which takes modes in groups, may look past it. That of Kaiser-Bessel, of the order of
/// its slopes, is 0 where sqrt(theta^2 - beta^2) is the first zero of a spherical Bessel function, at theta = k P h /
/// 2; that of a prolate window hardly elsewhere. A Gaussian's is negligible by then.
double least_shape(WindowShape const& window, double fineness) {
  constexpr double first_zero[] = {pi<double>, 4.4934, 5.7635}, margin = 0.95;
  if (window.window == Window::gaussian) return 0;
  double const last = pi<double> / 2 / std::max(1.0, fineness),
               zero = margin * first_zero[window.slopes] / window.points;
  return std::sqrt(std::max(0.0, last * last - zero * zero));
}

}  // namespace

template <class T>
WindowChoice choose_window(FarModel const& model, Window window, int points, double finer) {
  double const epsilon = std::numeric_limits<T>::epsilon() / 2;
  // Best shapes of Kaiser-Bessel and prolate windows hardly differ, and the first is much faster to try.
  Window const tried = window == Window::pswf ? Window::kaiser_bessel : window;
  auto const choice = [&](Window w, double per_point) {
    WindowShape const shape{w, points, per_point * points, model.slopes()};
    return WindowChoice{shape, model.aliasing(shape), model.rounding(shape, epsilon)};
  };
  double const least = least_shape({tried, points, 0, model.slopes()}, model.fineness());
  auto const error = [&](double per_point) {
    if (per_point < least) return std::numeric_limits<double>::max() * (least - per_point);
    WindowChoice const c = choice(tried, per_point);
    return (c.aliasing + c.rounding).total();
  };
  // Golden section; the error falls and rises by powers of ten, so a few percent of the width are near enough.
  auto [low, high] = shapes(window, finer);
  constexpr double part = 1 / std::numbers::phi;
  double left = high - part * (high - low), right = low + part * (high - low);
  double at_left = error(left), at_right = error(right);
  while (high - low > 0.03) {
    if (at_left < at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - part * (high - low);
      at_left = error(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + part * (high - low);
      at_right = error(right);
    }
  }
  double const best = at_left < at_right ? left : right;
  return choice(window, best);
}

int min_window_points(double tolerance) noexcept {
  int const points = static_cast<int>(-0.9 * std::log10(tolerance));
  return std::clamp(points - points % 2, 4, max_window_points);
}

template WindowChoice choose_window<float>(FarModel const&, Window, int, double);
template WindowChoice choose_window<double>(FarModel const&, Window, int, double);

}  // namespace nearfar
