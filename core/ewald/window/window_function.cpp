// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/window/window_function.hpp"

#include "core/math/constants.hpp"

#include <cmath>
#include <complex>

namespace nearfar {

namespace {

/// order! sum_k (z/4)^k / (k! (k + order)!), with z = x^2: I0(x), 2 I1(x) / x, 8 I2(x) / x^2. No term is negative.
long double bessel_series(long double z, int order) {
  long double term = 1, sum = 1;
  for (int k = 1; term > 1e-21L * sum; ++k) {
    term *= z / (4.0L * k * (k + order));
    sum += term;
  }
  return sum;
}

/// Functions of one argument, which plans evaluate a million times: by one exponential where that is as exact.
struct Hyperbolic {
  double sine, cosine;

  explicit Hyperbolic(double s) {
    double const e = std::exp(s), inverse = 1 / e;
    sine = s < 1 ? std::sinh(s) : (e - inverse) / 2;
    cosine = (e + inverse) / 2;
  }
};

/// Real part of int_1^inf e^{-a t^2 + i theta t} dt, by the continued fraction of
/// the scaled complementary error function.
double gaussian_tail(double a, double theta) {
  std::complex<double> const z(2 * a, -theta);
  std::complex<double> fraction = z;
  for (int n = 12 + static_cast<int>(300 / a); n > 0; --n) fraction = z + 2 * n * a / fraction;
  return std::real(std::polar(std::exp(-a), theta) / fraction);
}

}  // namespace

WindowFunction::WindowFunction(WindowShape const& shape)
    : window_(shape.window), slopes_(shape.slopes), shape_(shape.shape) {
  if (window_ == Window::pswf) prolate_.emplace(shape.shape);
  centre_ = unscaled(0);
}

long double WindowFunction::square_inside(long double t) const {
  return static_cast<long double>(shape_) * shape_ * (1 - t * t);
}

long double WindowFunction::known(long double t) const {
  if (window_ == Window::gaussian) return std::exp(-shape_ * t * t);
  if (window_ == Window::pswf) return prolate_->value(t);
  return bessel_series(square_inside(t), 0);
}

long double WindowFunction::known_derivative(long double t) const {
  if (window_ == Window::gaussian) return -2 * shape_ * t * std::exp(-shape_ * t * t);
  if (window_ == Window::pswf) return prolate_->derivative(t);
  return -t * shape_ * shape_ / 2 * bessel_series(square_inside(t), 1);
}

long double WindowFunction::moment(long double t) const {
  if (window_ == Window::gaussian) return (std::exp(-shape_ * t * t) - std::exp(-shape_)) / (2 * shape_);
  if (window_ == Window::pswf) return prolate_->outer_moment(t);
  return (1 - t * t) / 2 * bessel_series(square_inside(t), 1);
}

long double WindowFunction::second_moment(long double t) const {
  if (window_ == Window::gaussian) return (moment(t) - std::exp(-1.0L * shape_) * (1 - t * t) / 2) / (2 * shape_);
  if (window_ == Window::pswf) return prolate_->second_outer_moment(t);
  return (1 - t * t) * (1 - t * t) / 8 * bessel_series(square_inside(t), 2);
}

long double WindowFunction::unscaled(long double t) const {
  return slopes_ == 0 ? known(t) : slopes_ == 1 ? moment(t) : second_moment(t);
}

long double WindowFunction::value(long double t) const { return std::abs(t) > 1 ? 0 : unscaled(t) / centre_; }

long double WindowFunction::derivative(long double t) const {
  if (std::abs(t) > 1) return 0;
  return (slopes_ == 0 ? known_derivative(t) : -t * (slopes_ == 1 ? known(t) : moment(t))) / centre_;
}

long double WindowFunction::second(long double t) const {
  return std::abs(t) > 1 ? 0 : (t * t * known(t) - moment(t)) / centre_;
}

double WindowFunction::transform(double theta) const {
  double const k = std::abs(theta);
  return (slopes_ == 0   ? known_transform(k)
          : slopes_ == 1 ? moment_transform(k)
                         : second_moment_transform(k)) /
         static_cast<double>(centre_);
}

double WindowFunction::known_transform(double theta) const {
  if (window_ == Window::pswf) return static_cast<double>(2 * prolate_->transform(theta).value);
  if (window_ == Window::gaussian) {
    double const whole = std::sqrt(pi<double> / shape_) * std::exp(-theta * theta / (4 * shape_));
    return whole - 2 * gaussian_tail(shape_, theta);
  }
  double const square = shape_ * shape_ - theta * theta, s = std::sqrt(std::abs(square));
  if (s < 1e-4) return 2 * (1 + square / 6);
  return 2 * (square > 0 ? Hyperbolic(s).sine : std::sin(s)) / s;
}

/// Minus the derivative of the known window's transform, over theta.
double WindowFunction::moment_transform(double theta) const {
  if (window_ == Window::pswf) {
    if (theta > 0) return static_cast<double>(-2 * prolate_->transform(theta).derivative / theta);
    return static_cast<double>(2 * prolate_->second_moment() * prolate_->integral(1));
  }
  if (window_ == Window::gaussian) {
    double const box = theta < 1e-4 ? 2 : 2 * std::sin(theta) / theta;
    return (known_transform(theta) - std::exp(-shape_) * box) / (2 * shape_);
  }
  double const square = shape_ * shape_ - theta * theta, s = std::sqrt(std::abs(square));
  if (s < 0.01) return 2 / 3.0 * (1 + square / 10);
  if (square <= 0) return 2 * (std::sin(s) - s * std::cos(s)) / (s * s * s);
  Hyperbolic const h(s);
  return 2 * (s * h.cosine - h.sine) / (s * s * s);
}

/// Minus the derivative of moment_transform, over theta.
double WindowFunction::second_moment_transform(double theta) const {
  if (window_ == Window::pswf) return static_cast<double>(2 * prolate_->second_outer_transform(theta));
  if (window_ == Window::gaussian) {
    // of 1 - t^2
    double const cap = theta < 0.1 ? 4 / 3.0 * (1 - theta * theta / 10 * (1 - theta * theta / 28))
                                   : 4 * (std::sin(theta) - theta * std::cos(theta)) / (theta * theta * theta);
    return (moment_transform(theta) - std::exp(-shape_) * cap / 2) / (2 * shape_);
  }
  double const square = shape_ * shape_ - theta * theta, s = std::sqrt(std::abs(square));
  if (s < 2) {  // sum over k of (square / 2)^k / (k! (2 k + 5)!!)
    double term = 2 / 15.0, sum = term;
    for (int k = 1; k < 12; ++k) sum += term *= square / (2 * k * (2 * k + 5));
    return sum;
  }
  Hyperbolic const h(square > 0 ? s : 0);
  double const odd =
      square > 0 ? (square + 3) * h.sine - 3 * s * h.cosine : (square + 3) * std::sin(s) - 3 * s * std::cos(s);
  return 2 * odd / (square * square * s);
}

}  // namespace nearfar
