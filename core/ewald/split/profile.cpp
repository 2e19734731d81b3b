// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/split/profile.hpp"

#include "core/math/constants.hpp"
#include "core/math/prolate.hpp"
#include "core/math/quadrature.hpp"

#include <nearfar/ewald.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace nearfar {

namespace {

constexpr long double two_over_sqrt_pi = 2 * std::numbers::inv_sqrtpi_v<long double>;
constexpr long double edge = 1 + 1e-12L;  // r = cutoff and k = band() belong to the support, however they were rounded

}  // namespace

// For pswf, x = r / cutoff and Phi = int_0^x psi / c0 with c0 = int_0^1 psi; psi(0) = 1.
// For gaussian, x = xi r and Phi = erf(x).

Profile::Profile(Split split, double parameter, double cutoff, double screening)
    : split_(split), parameter_(parameter), cutoff_(cutoff), screening_(screening),
      prolate_(split == Split::pswf ? std::make_shared<Prolate const>(parameter) : nullptr) {}

long double Profile::value(long double r) const {
  long double const x = r / cutoff_;
  if (!prolate_) return std::erf(parameter_ * x);
  return x < 1 ? prolate_->integral(x) / prolate_->integral(1) : 1;
}

long double Profile::first(long double r) const {
  long double const x = r / cutoff_;
  if (!prolate_) return two_over_sqrt_pi * parameter_ / cutoff_ * std::exp(-parameter_ * x * parameter_ * x);
  return x <= edge ? prolate_->value(x) / (cutoff_ * prolate_->integral(1)) : 0;
}

long double Profile::second(long double r) const { return r * second_over_r(r); }

long double Profile::second_over_r(long double r) const {
  long double const x = r / cutoff_;
  long double const cube = static_cast<long double>(cutoff_) * cutoff_ * cutoff_;
  if (!prolate_) {
    long double const a = parameter_;
    return -2 * two_over_sqrt_pi * a * a * a / cube * std::exp(-a * x * a * x);
  }
  return x <= edge ? prolate_->slope(x) / (cube * prolate_->integral(1)) : 0;
}

long double Profile::third_over_r(long double r) const {
  long double const x = r / cutoff_, square = static_cast<long double>(cutoff_) * cutoff_;
  if (!prolate_) return -2 * parameter_ * parameter_ / square * second_over_r(r);
  return x <= edge ? prolate_->bend(x) / (square * square * cutoff_ * prolate_->integral(1)) : 0;
}

long double Profile::ghat(long double k) const {
  if (!prolate_) {
    long double const x = k * cutoff_ / (2 * parameter_);
    return std::exp(-x * x);
  }
  long double const kappa = k * cutoff_ / parameter_;
  return kappa <= edge ? prolate_->value(kappa) : 0;
}

long double Profile::hasimoto(long double k) const {
  if (!prolate_) {
    long double const x = k * cutoff_ / (2 * parameter_);
    return (1 + x * x) * std::exp(-x * x);
  }
  long double const kappa = k * cutoff_ / parameter_;
  return kappa <= edge ? prolate_->value(kappa) - kappa * prolate_->derivative(kappa) / 2 : 0;
}

double band(Split split, double parameter, double cutoff, double error) {
  if (split == Split::pswf) return parameter / cutoff;
  double x = 1;  // (1 + x) e^{-x} = error, x = (k cutoff / 2 parameter)^2
  for (int i = 0; i < 60; ++i) x = std::log1p(x) - std::log(error);
  return 2 * parameter / cutoff * std::sqrt(x);
}

Profile profile_of(EwaldOptions const& o, EwaldParameters const& p) {
  return {o.split, p.split_parameter, p.cutoff, o.screening.value_or(0)};
}

long double Profile::second_moment() const {
  long double const square = static_cast<long double>(cutoff_) * cutoff_;
  if (!prolate_) return square / (2.0L * parameter_ * parameter_);
  return square * prolate_->second_moment();
}

namespace {

GaussLegendre const& rule() {
  static GaussLegendre const points(96);
  return points;
}

}  // namespace

Screened::Screened(Profile const& profile, double screening) : profile_(profile), lam_(screening) {
  // A Gaussian times cosh is largest at lam / (2 xi^2).
  long double const xi = profile.parameter() / profile.cutoff();
  reach_ = profile.split() == Split::pswf ? profile.cutoff() : lam_ / (2 * xi * xi) + 7 / xi;
  ghat_ = rule().integrate([&](long double u) { return std::cosh(lam_ * reach_ * u) * profile.first(reach_ * u); }) *
          reach_;
}

long double Screened::far(long double r) const {
  long double const inside = rule().integrate([&](long double u) {
    return (std::exp(-lam_ * r * (1 - u)) + std::exp(-lam_ * r * (1 + u))) / 2 * profile_.first(r * u);
  });
  long double const length = std::max(reach_ - r, 0.0L);
  long double const outside = length * rule().integrate([&](long double u) {
    return std::exp(-lam_ * length * u) * profile_.first(r + length * u);
  });
  // sinh(lam r) e^(-lam r) / r
  long double const decayed = r > 0 ? -std::expm1(-2 * lam_ * r) / (2 * r) : lam_;
  return (inside - decayed * outside) / ghat_;
}

// (r F)'' = lam^2 r F + Phi'' / ghat, and (G / r - G') / r^2 = -int_0^1 u^2 (G''(y) / y) du at y = u r.
long double Screened::curvature(long double r) const {
  return -lam_ * lam_ * far(r) - profile_.second_over_r(r) / ghat_;
}

long double Screened::slope(long double r) const {
  static GaussLegendre const points(48);
  return points.integrate([&](long double u) { return u * u * curvature(u * r); });
}

}  // namespace nearfar
