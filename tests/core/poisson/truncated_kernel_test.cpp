// SPDX-License-Identifier: BSD-3-Clause
#include "core/poisson/truncated_kernel.hpp"
#include "core/math/constants.hpp"
#include "core/poisson/sampled_kernel.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

using namespace nearfar;

namespace {

/// Midpoints of a graded mesh, for the integrable singularity at 0.
double integral(std::function<double(double)> const& f, double end) {
  constexpr int steps = 400000;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    double const t = (i + 0.5) / steps;
    sum += f(end * t * t * t) * 3 * t * t;
  }
  return sum * end / steps;
}

}  // namespace

TEST_CASE("truncated kernels are the transforms of the kernels in space, by quadrature") {
  double const radius = 1.7;
  for (int open : {1, 2, 3})
    for (double k : {0.0, 0.3, 2.5, 31.0})
      for (double kappa : {0.0, 0.8, 9.0}) {
        if (open == 3 && kappa > 0) continue;
        CAPTURE(open);
        CAPTURE(k);
        CAPTURE(kappa);
        double const expected = integral(
            [&](double r) {
              double const kernel = sampled_kernel(open, r, kappa);
              if (open == 1) return 2 * std::cos(k * r) * kernel;
              if (open == 2) return 2 * pi<double> * r * j0(k * r) * kernel;
              return 4 * pi<double> * r * r * (k > 0 ? std::sin(k * r) / (k * r) : 1.0) * kernel;
            },
            radius);
        BesselK const edge = kappa > 0 ? bessel_k(radius * kappa) : BesselK();
        CHECK(truncated_kernel(open, radius, k, kappa, edge) == doctest::Approx(expected).epsilon(1e-7).scale(0));
      }
}

TEST_CASE("truncated kernels: where all directions repeat, 1 / k^2 without the mean") {
  CHECK(truncated_kernel(0, 0, 0, 2, {}) == 0.25);
  CHECK(truncated_kernel(0, 0, 0, 0, {}) == 0);
}
