// SPDX-License-Identifier: BSD-3-Clause
#include "core/math/polynomial.hpp"

#include <doctest/doctest.h>

#include <cmath>

using nearfar::fit_polynomial;

TEST_CASE("polynomial: exact for polynomials, with no more degree than needed") {
  auto const cubic = [](long double t) { return 1 - 2 * t + 0.5L * t * t * t; };
  double error = 1;
  auto const fit = fit_polynomial<double>(cubic, 1e-14, &error);
  CHECK(fit.degree == 3);
  CHECK(error < 1e-14);
  CHECK(fit(0.3) == doctest::Approx(double(cubic(0.3L))));
  CHECK(fit_polynomial<float>([](long double) { return 7.0L; }, 1e-6).degree == 0);
}

TEST_CASE("polynomial: degree follows the error, and stops where rounding does") {
  auto const f = [](long double t) { return std::exp(-8 * (t + 1)); };
  int last = 0;
  for (double error : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14}) {
    double achieved = 1;
    auto const fit = fit_polynomial<double>(f, error, &achieved);
    CHECK(achieved <= error);
    CHECK(fit.degree > last);
    last = fit.degree;
    for (double t = -1; t <= 1; t += 1e-3) REQUIRE(std::abs(fit(t) - double(f(t))) <= 1.05 * error + 1e-15);
  }
  double achieved = 1;
  auto const fit = fit_polynomial<float>(f, 0, &achieved);
  CHECK(achieved < 1e-6);
  CHECK(fit.degree < 20);
  CHECK(fit_polynomial<double>(f, 0, nullptr, 5).degree == 5);
}
