// SPDX-License-Identifier: BSD-3-Clause
#include "core/window_function.hpp"

#include "core/constants.hpp"

#include <cmath>
#include <complex>

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

/// Real part of int_1^inf e^{-a t^2 + i theta t} dt, by the continued fraction of
/// the scaled complementary error function.
double gaussian_tail(double a, double theta) {
  std::complex<double> const z(2 * a, -theta);
  std::complex<double> fraction = z;
  for (int n = 12 + static_cast<int>(300 / a); n > 0; --n) fraction = z + 2 * n * a / fraction;
  return std::real(std::polar(std::exp(-a), theta) / fraction);
}

}  // namespace

WindowFunction::WindowFunction(WindowShape const& shape) : window_(shape.window), shape_(shape.shape), centre_(1) {
  if (window_ == Window::kaiser_bessel) centre_ = bessel_series(static_cast<long double>(shape_) * shape_, 0);
  if (window_ == Window::pswf) prolate_.emplace(shape.shape);
}

long double WindowFunction::value(long double t) const {
  long double const inside = 1 - t * t;
  if (inside < 0) return 0;
  if (window_ == Window::gaussian) return std::exp(-shape_ * t * t);
  if (window_ == Window::pswf) return prolate_->value(t);
  return bessel_series(static_cast<long double>(shape_) * shape_ * inside, 0) / centre_;
}

long double WindowFunction::derivative(long double t) const {
  long double const inside = 1 - t * t;
  if (inside < 0) return 0;
  if (window_ == Window::gaussian) return -2 * shape_ * t * std::exp(-shape_ * t * t);
  if (window_ == Window::pswf) return prolate_->derivative(t);
  return -shape_ * shape_ * t * bessel_series(static_cast<long double>(shape_) * shape_ * inside, 1) / (2 * centre_);
}

double WindowFunction::transform(double theta) const {
  if (window_ == Window::pswf) return static_cast<double>(2 * prolate_->transform(std::abs(theta)).value);
  if (window_ == Window::gaussian) {
    double const whole = std::sqrt(pi<double> / shape_) * std::exp(-theta * theta / (4 * shape_));
    return whole - 2 * gaussian_tail(shape_, theta);
  }
  double const square = shape_ * shape_ - theta * theta, s = std::sqrt(std::abs(square));
  double const centre = static_cast<double>(centre_);
  if (s < 1e-4) return 2 * (1 + square / 6) / centre;
  return 2 * (square > 0 ? std::sinh(s) : std::sin(s)) / (s * centre);
}

}  // namespace nearfar
