// SPDX-License-Identifier: BSD-3-Clause
#include "core/window_function.hpp"

#include "core/quadrature.hpp"

#include <cmath>

namespace nearfar {

namespace {

/// sum_k (z/4)^k / (k! (k + order)!): I0(x) for order 0, 2 I1(x) / x for order 1, with z = x^2. No term is negative.
long double bessel_series(long double z, int order) {
  long double term = 1, sum = 1;
  for (int k = 1; term > 1e-21L * sum; ++k) {
    term *= z / (4.0L * k * (k + order));
    sum += term;
  }
  return sum;
}

}  // namespace

WindowFunction::WindowFunction(WindowShape const& shape) : window_(shape.window), shape_(shape.shape), centre_(1) {
  if (window_ == Window::kaiser_bessel) centre_ = bessel_series(shape_ * shape_, 0);
  if (window_ == Window::pswf) prolate_.emplace(shape.shape);
}

long double WindowFunction::value(long double t) const {
  long double const inside = 1 - t * t;
  if (inside < 0) return 0;
  if (window_ == Window::gaussian) return std::exp(-shape_ * t * t);
  if (window_ == Window::pswf) return prolate_->value(t);
  return bessel_series(shape_ * shape_ * inside, 0) / centre_;
}

long double WindowFunction::derivative(long double t) const {
  long double const inside = 1 - t * t;
  if (inside < 0) return 0;
  if (window_ == Window::gaussian) return -2 * shape_ * t * std::exp(-shape_ * t * t);
  if (window_ == Window::pswf) return prolate_->derivative(t);
  return -shape_ * shape_ * t * bessel_series(shape_ * shape_ * inside, 1) / (2 * centre_);
}

long double WindowFunction::transform(long double theta) const {
  if (window_ == Window::pswf) return 2 * prolate_->transform(std::abs(theta)).value;
  if (window_ == Window::gaussian) {  // cut at |t| = 1, so there is no short formula
    static GaussLegendre const rule(80);
    return 2 * rule.integrate([&](long double t) { return std::exp(-shape_ * t * t) * std::cos(theta * t); });
  }
  long double const square = shape_ * shape_ - theta * theta;
  long double const s = std::sqrt(std::abs(square));
  if (s < 1e-6L) return 2 * (1 + square / 6) / centre_;
  return 2 * (square > 0 ? std::sinh(s) : std::sin(s)) / (s * centre_);
}

}  // namespace nearfar
