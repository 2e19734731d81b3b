// SPDX-License-Identifier: BSD-3-Clause
#include "core/poisson/sampled_kernel.hpp"

#include "core/math/constants.hpp"
#include "core/math/quadrature.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

/// Its mixed derivative in x, y, z is 1 / r.
double primitive(double x, double y, double z) {
  double const r = std::sqrt(x * x + y * y + z * z);
  return y * z * std::log(x + r) + x * z * std::log(y + r) + x * y * std::log(z + r) -
         0.5 * (x * x * std::atan(y * z / (x * r)) + y * y * std::atan(x * z / (y * r)) +
                z * z * std::atan(x * y / (z * r)));
}

/// In a unit of about an edge, since logarithms are of lengths, and of very long ones they hide the differences.
double closed_average(std::array<double, 3> c, std::array<double, 3> h) {
  int const unit = std::ilogb(*std::max_element(h.begin(), h.end()));
  for (auto* lengths : {&c, &h})
    for (double& length : *lengths) length = std::ldexp(length, -unit);
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double const sign = (corner & 1 ? 1 : -1) * (corner & 2 ? 1 : -1) * (corner & 4 ? 1 : -1);
    auto const at = [&](int d) { return c[std::size_t(d)] + (corner >> d & 1 ? 0.5 : -0.5) * h[std::size_t(d)]; };
    sum += sign * primitive(at(0), at(1), at(2));
  }
  return std::ldexp(sum / (4 * pi<double> * h[0] * h[1] * h[2]), -unit);
}

/// Three points per direction: at 8 cells from the origin and beyond, its error is below 1e-9 of the value.
double average_by_quadrature(std::array<double, 3> const& c, std::array<double, 3> const& h) {
  static double const node[3] = {-0.5 * std::sqrt(0.6), 0, 0.5 * std::sqrt(0.6)};
  static constexpr double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) {
        double const x = c[0] + node[i] * h[0], y = c[1] + node[j] * h[1], z = c[2] + node[k] * h[2];
        sum += weight[i] * weight[j] * weight[k] / std::sqrt(x * x + y * y + z * z);
      }
  return sum / (4 * pi<double>);
}

/// Of a radial function over a rectangle around the origin: `disk(r)` is its integral over a disk of radius r, divided
/// by 2 pi.
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

double sampled_kernel(int open, double r, double kappa) {
  if (open == 3) return 1 / (4 * pi<double> * r);
  if (open == 2) return (kappa > 0 ? std::cyl_bessel_k(0.0, kappa * r) : -std::log(r)) / (2 * pi<double>);
  return kappa > 0 ? std::exp(-kappa * r) / (2 * kappa) : -0.5 * r;
}

double central_average(int open, std::array<double, 3> const& edges, double kappa) {
  if (open == 3) return closed_average({0, 0, 0}, edges);
  if (open == 2)
    return rectangle_average(edges[0], edges[1],
                             [&](double r) {
                               if (kappa == 0) return r * r / 4 * (1 - 2 * std::log(r));
                               return (1 - kappa * r * std::cyl_bessel_k(1.0, kappa * r)) / (kappa * kappa);
                             }) /
           (2 * pi<double>);
  double const h = edges[0];
  return kappa > 0 ? -std::expm1(-0.5 * kappa * h) / (kappa * kappa * h) : -h / 8;
}

double cell_average(std::array<double, 3> const& centre, std::array<double, 3> const& edges) {
  double const longest = *std::max_element(edges.begin(), edges.end());
  double const squared = centre[0] * centre[0] + centre[1] * centre[1] + centre[2] * centre[2];
  return squared < 64 * longest * longest ? closed_average(centre, edges) : average_by_quadrature(centre, edges);
}

}  // namespace nearfar
