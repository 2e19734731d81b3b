// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/split/truncation.hpp"

#include "core/ewald/split/profile.hpp"
#include "core/math/bessel_k.hpp"
#include "core/math/constants.hpp"
#include "core/math/quadrature.hpp"

namespace nearfar {

Truncation make_truncation(double radius, int free, Base base, Profile const& profile) {
  Truncation t{radius, free, base == Base::laplace, profile.screening()};
  if (!(t.screening > 0)) return t;
  t.ghat = double(Screened(profile, t.screening).ghat());
  double const y = t.screening * radius, decay = std::exp(-y);
  if (free == 1) t.beside = {decay, decay * y};
  if (free == 2) {
    auto const k = bessel_k(y);
    t.beside = {y * k.k1, y * y * k.k0};
  }
  if (free == 3) t.beside = {decay * (1 + y), decay * y * y};
  return t;
}

namespace {

/// The transform at k = 0 of e^(-lam r) / r less its value at the radius R, over 4 pi R^2: (1 - beside[0] - beside[1]
/// g(0)) / y^2 with y = lam R, which cancels for small y; there by int_0^1 of e^(-y u) u (1 + y u) / 3 du in free
/// space, u (y u) K1(y u) / 2 and e^(-y u) u with one and two periods.
double screened_zero(Truncation const& t) {
  static GaussLegendre const rule(64);
  double const y = t.screening * t.radius;
  if (y > 1) return (1 - t.beside[0] - t.beside[1] / t.free) / (y * y);
  return double(rule.integrate([&](long double u) -> long double {
    if (t.free == 3) return std::exp(-y * u) * u * (1 + y * u) / 3;
    if (t.free == 2) return u * u * y * bessel_k(double(y * u)).k1 / 2;
    return std::exp(-y * u) * u;
  }));
}

/// e^(-lam R) / R, summed over the images along the periodic directions.
double screened_at_cut(Truncation const& t, double area) {
  double const lam = t.screening, y = lam * t.radius;
  if (t.free == 3) return std::exp(-y) / t.radius;
  return (t.free == 2 ? 2 * bessel_k(y).k0 : 2 * pi<double> / lam * std::exp(-y)) / area;
}

}  // namespace

std::array<double, 3> free_zero_mode(Truncation const& t, double volume, double area, double gauge_length) noexcept {
  if (t.screening > 0) {
    double const cut = 4 * pi<double> * t.radius * t.radius * screened_zero(t);
    return {(cut + screened_at_cut(t, area) * volume) / t.ghat, 0, 0};
  }
  double const r = t.radius, log_r = std::log(r / gauge_length);
  if (t.laplace) {
    // Inside the radius the kernels are 1/r - 1/R, (2/L) ln(R/rho) and (2 pi/A)(R - |z|).
    if (t.free == 3) return {2 * pi<double> / 3 * r * r + volume / r, 0, 0};
    if (t.free == 2) return {pi<double> * r * r - 2 * log_r * volume / area, 0, 0};
    return {2 * pi<double> * r * r - 2 * pi<double> * r * volume / area, 0, 0};
  }
  if (t.free == 3) {
    double const gauge = 2 / r * volume;
    return {gauge, gauge, gauge};
  }
  if (t.free == 2) {
    double const across = -2 * (log_r + 0.5) * volume / area, along = 2 * across;
    return {across, across, along};
  }
  double const along = 4 * pi<double> * r * r - 4 * pi<double> * r * volume / area;
  return {0, along, along};
}

}  // namespace nearfar
