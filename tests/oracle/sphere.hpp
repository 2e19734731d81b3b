// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace nearfar::oracle {

/// A sphere as the double layer sees it: points and stresslets q, n dS with the outward normal, which integrate smooth
/// functions to about 1e-14 as long as nothing comes near the surface.
struct Sphere {
  static constexpr int rings = 24, around = 48;
  std::vector<double> points, strengths;

  Sphere(std::array<double, 3> const& centre, double radius, std::array<double, 3> const& q) {
    double const pi = std::numbers::pi;
    for (int a = 0; a < rings; ++a) {
      // Gauss-Legendre by Newton's method.
      double z = std::cos(pi * (a + .75) / (rings + .5)), slope = 0;
      for (int step = 0; step < 20; ++step) {
        double p = 1, previous = 0;
        for (int n = 0; n < rings; ++n) {
          double const next = ((2 * n + 1) * z * p - n * previous) / (n + 1);
          previous = p;
          p = next;
        }
        slope = rings * (z * p - previous) / (z * z - 1);
        z -= p / slope;
      }
      double const weight = 2 / ((1 - z * z) * slope * slope) * 2 * pi / around * radius * radius;
      for (int b = 0; b < around; ++b) {
        double const angle = 2 * pi * b / around, rho = std::sqrt(1 - z * z);
        double const n[3] = {rho * std::cos(angle), rho * std::sin(angle), z};
        for (std::size_t j = 0; j < 3; ++j) points.push_back(centre[j] + radius * n[j]);
        for (double v : q) strengths.push_back(v);
        for (double v : n) strengths.push_back(v * weight);
      }
    }
  }
};

}  // namespace nearfar::oracle
