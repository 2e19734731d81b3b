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
      prolate_(split == Split::pswf ? std::make_shared<Prolate const>(parameter) : nullptr),
      whole_(prolate_ ? prolate_->integral(1) : 1) {}

long double Profile::value(long double r) const {
  long double const x = r / cutoff_;
  if (!prolate_) return std::erf(parameter_ * x);
  return x < 1 ? prolate_->integral(x) / whole_ : 1;
}

long double Profile::first(long double r) const {
  long double const x = r / cutoff_;
  if (!prolate_) return two_over_sqrt_pi * parameter_ / cutoff_ * std::exp(-parameter_ * x * parameter_ * x);
  return x <= edge ? prolate_->value(x) / (cutoff_ * whole_) : 0;
}

long double Profile::second(long double r) const { return r * second_over_r(r); }

long double Profile::second_over_r(long double r) const {
  long double const x = r / cutoff_;
  long double const cube = static_cast<long double>(cutoff_) * cutoff_ * cutoff_;
  if (!prolate_) {
    long double const a = parameter_;
    return -2 * two_over_sqrt_pi * a * a * a / cube * std::exp(-a * x * a * x);
  }
  return x <= edge ? prolate_->slope(x) / (cube * whole_) : 0;
}

long double Profile::third_over_r(long double r) const {
  long double const x = r / cutoff_, square = static_cast<long double>(cutoff_) * cutoff_;
  if (!prolate_) return -2 * parameter_ * parameter_ / square * second_over_r(r);
  return x <= edge ? prolate_->bend(x) / (square * square * cutoff_ * whole_) : 0;
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

double Profile::band(double error) const {
  if (!prolate_) {
    double x = 1;  // (1 + x) e^{-x} = error, x = (k cutoff / 2 parameter)^2
    for (int i = 0; i < 60; ++i) x = std::log1p(x) - std::log(error);
    return 2 * parameter_ / cutoff_ * std::sqrt(x);
  }
  double low = 0, high = parameter_ / cutoff_;
  if (hasimoto(high) >= error) return high;
  for (int i = 0; i < 60; ++i) (hasimoto((low + high) / 2) >= error ? low : high) = (low + high) / 2;
  return high;
}

double band(Split split, double parameter, double cutoff, double error) {
  // At its end psi is above e^-c, and its slope is some -(c^2 - c) / 2 psi: no prolate function is made for what no
  // plan chooses.
  if (split == Split::pswf && (1 + parameter * (parameter - 1) / 4) * std::exp(-parameter) >= error)
    return parameter / cutoff;
  return Profile(split, parameter, cutoff).band(error);
}

Profile profile_of(EwaldOptions const& o, EwaldPlanning const& p) {
  return {o.split, p.split_parameter, p.cutoff, o.screening.value_or(0)};
}

long double Profile::second_moment() const {
  long double const square = static_cast<long double>(cutoff_) * cutoff_;
  if (!prolate_) return square / (2.0L * parameter_ * parameter_);
  return square * prolate_->second_moment();
}

namespace {

/// For integrands that vary by e^decay, to 18 digits.
GaussLegendre const& rule(long double decay) {
  static GaussLegendre const few(48), many(96);
  return decay < 16 ? few : many;
}

}  // namespace

Screened::Screened(Profile const& profile, double screening) : profile_(profile), lam_(screening) {
  // A Gaussian times cosh is largest at lam / (2 xi^2).
  long double const xi = profile.parameter() / profile.cutoff();
  reach_ = profile.split() == Split::pswf ? profile.cutoff() : lam_ / (2 * xi * xi) + 7 / xi;
  rule_ = &rule(lam_ * reach_);
  ghat_ = rule_->integrate([&](long double u) { return std::cosh(lam_ * reach_ * u) * profile.first(reach_ * u); }) *
          reach_;
}

long double Screened::far(long double r) const {
  long double const inside = rule_->integrate([&](long double u) {
    return (std::exp(-lam_ * r * (1 - u)) + std::exp(-lam_ * r * (1 + u))) / 2 * profile_.first(r * u);
  });
  // sinh(lam r) e^(-lam r) / r
  long double const decayed = r > 0 ? -std::expm1(-2 * lam_ * r) / (2 * r) : lam_;
  return (inside - decayed * outside(r)) / ghat_;
}

long double Screened::outside(long double r) const {
  long double const length = std::max(reach_ - r, 0.0L);
  return length *
         rule_->integrate([&](long double u) { return std::exp(-lam_ * length * u) * profile_.first(r + length * u); });
}

// (r F)'' = lam^2 r F + Phi'' / ghat.
long double Screened::curvature(long double r) const {
  return -lam_ * lam_ * far(r) - profile_.second_over_r(r) / ghat_;
}

namespace {

/// 1 - (1 + x) e^(-x), of order x^2.
long double beyond_linear(long double x) {
  if (x > 1) return 1 - (1 + x) * std::exp(-x);
  long double term = 1, sum = 0;  // of (-1)^n x^n (n - 1) / n!
  for (int n = 1; n < 24; ++n) sum += (term *= -x / n) * (n - 1);
  return sum;
}

/// e^(-x) (x cosh x - sinh x), of order x^3.
long double bent(long double x) {
  if (x > 1) return (x * (1 + std::exp(-2 * x)) + std::expm1(-2 * x)) / 2;
  long double term = x, sum = 0;  // of x^(n + 1) n / (n + 1)!, n even
  for (int n = 2; n < 24; n += 2) sum += (term *= x * x / (n * (n + 1))) * n;
  return sum * std::exp(-x);
}

}  // namespace

// (G / r - G') / r^2 of G = r F is -int_0^1 u^2 (G''(y) / y) du at y = u r. Of G'' = lam^2 G + Phi'' / ghat the first
// part has a closed form in the integrals of `far`, written without what cancels near r = 0:
//   ghat lam^2 int_0^r y G dy = int_0^r (1 - (1 + lam r) e^(-lam r) cosh(lam t)) Phi'(t) dt
//                               - (lam r cosh(lam r) - sinh(lam r)) int_r^inf e^(-lam t) Phi'(t) dt.
long double Screened::slope(long double r) const {
  static GaussLegendre const points(48);
  long double const plain = points.integrate([&](long double u) { return u * u * profile_.second_over_r(u * r); });
  if (r == 0) return -plain / ghat_ - lam_ * lam_ / 3 * far(0);
  long double const x = lam_ * r, beyond = beyond_linear(x);
  long double const inside = rule_->integrate([&](long double u) {
    long double const half = std::expm1(-x * u);  // 2 e^(-y) (cosh y - 1) = (1 - e^(-y))^2
    return (beyond - (1 + x) * std::exp(-x * (1 - u)) * half * half / 2) * profile_.first(r * u);
  });
  return -(plain + (inside - bent(x) / r * outside(r)) / (r * r)) / ghat_;
}

}  // namespace nearfar
