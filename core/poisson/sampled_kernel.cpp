// SPDX-License-Identifier: BSD-3-Clause
#include "core/poisson/sampled_kernel.hpp"

#include "core/math/quadrature.hpp"
#include "core/poisson/cell_average.hpp"

namespace nearfar {

namespace {

/// Integral of a radial function over a rectangle around the origin: `disk(r)` is its integral over a disk of radius r,
/// divided by 2 pi.
template <class F>
double rectangle_average(double a, double b, F const& disk) {
  static GaussLegendre const rule(24);
  double const corner = std::atan2(b, a);
  auto const part = [&](double angle, double half) {
    return angle *
           double(rule.integrate([&](long double t) { return disk(0.5 * half / std::cos(angle * double(t))); }));
  };
  return 4 * (part(corner, a) + part(pi<double> / 2 - corner, b)) / (a * b);
}

}  // namespace

double central_average(int open, std::array<double, 3> const& edges, double kappa) {
  if (open == 3) return cell_average({0, 0, 0}, {edges[0], edges[1], edges[2]});
  if (open == 2)
    return rectangle_average(edges[0], edges[1],
                             [&](double r) {
                               if (kappa == 0) return r * r / 4 * (1 - 2 * std::log(r));
                               return (1 - kappa * r * bessel_k(kappa * r).k1) / (kappa * kappa);
                             }) /
           (2 * pi<double>);
  double const h = edges[0];
  return kappa > 0 ? -std::expm1(-0.5 * kappa * h) / (kappa * kappa * h) : -h / 8;
}

}  // namespace nearfar
