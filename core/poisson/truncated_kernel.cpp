// SPDX-License-Identifier: BSD-3-Clause
#include "core/poisson/truncated_kernel.hpp"

#include <cmath>

namespace nearfar {

namespace {

double cut_in_space(double r, double k) {
  if (k == 0) return r * r / 2;
  double const s = std::sin(0.5 * r * k) / k;
  return 2 * s * s;
}

double cut_in_plane(double r, double k, double kappa) {
  double const x = r * k;
  if (kappa == 0) {
    if (k == 0) return r * r / 4 * (1 - 2 * std::log(r));
    return (1 - j0(x)) / (k * k) - r * std::log(r) * j1(x) / k;
  }
  double const y = r * kappa;
  return (1 + x * j1(x) * std::cyl_bessel_k(0.0, y) - y * j0(x) * std::cyl_bessel_k(1.0, y)) / (k * k + kappa * kappa);
}

double cut_in_line(double r, double k, double kappa) {
  double const x = r * k;
  if (kappa == 0) {
    if (k == 0) return -r * r / 2;
    return (1 - std::cos(x)) / (k * k) - r * std::sin(x) / k;
  }
  return (1 + std::exp(-kappa * r) * (k / kappa * std::sin(x) - std::cos(x))) / (k * k + kappa * kappa);
}

}  // namespace

double truncated_kernel(int open, double radius, double k, double kappa) {
  if (open == 3) return cut_in_space(radius, k);
  if (open == 2) return cut_in_plane(radius, k, kappa);
  if (open == 1) return cut_in_line(radius, k, kappa);
  return kappa > 0 ? 1 / (kappa * kappa) : 0;
}

}  // namespace nearfar
