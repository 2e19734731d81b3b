// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/profile.hpp"

#include "core/math/constants.hpp"
#include "core/math/prolate.hpp"

#include <cmath>
#include <numbers>

namespace nearfar {

namespace {

constexpr long double two_over_sqrt_pi = 2 * std::numbers::inv_sqrtpi_v<long double>;
constexpr long double edge = 1 + 1e-12L;  // r = cutoff and k = band() belong to the support, however they were rounded

}  // namespace

// For pswf, x = r / cutoff and Phi = int_0^x psi / c0 with c0 = int_0^1 psi; psi(0) = 1.
// For gaussian, x = xi r and Phi = erf(x).

Profile::Profile(Split split, double parameter, double cutoff)
    : split_(split), parameter_(parameter), cutoff_(cutoff),
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

long double Profile::second_moment() const {
  long double const square = static_cast<long double>(cutoff_) * cutoff_;
  if (!prolate_) return square / (2.0L * parameter_ * parameter_);
  return square * prolate_->second_moment();
}

}  // namespace nearfar
