// SPDX-License-Identifier: BSD-3-Clause
#include "core/math/prolate.hpp"

#include "core/math/quadrature.hpp"

#include <doctest/doctest.h>

#include <cmath>

using nearfar::Prolate;

TEST_CASE("prolate function: known values") {  // ewald.md, Sec. 7
  Prolate const five(5);
  long double const c0 = five.integral(1);
  CHECK(double(five.value(0)) == doctest::Approx(1).epsilon(1e-15));
  CHECK(double(five.value(0.5L)) == doctest::Approx(0.574224287376836).epsilon(1e-14));
  CHECK(double(five.value(1)) == doctest::Approx(0.050229792529913).epsilon(1e-13));
  CHECK(double(five.derivative(0.5L)) == doctest::Approx(-1.352776031528956).epsilon(1e-14));
  CHECK(double(five.integral(0.5L) / c0) == doctest::Approx(0.754551893541810).epsilon(1e-14));
  CHECK(double(c0) == doctest::Approx(0.560317604096763).epsilon(1e-14));
  CHECK(double(five.second_moment()) == doctest::Approx(0.167805154904655).epsilon(1e-14));

  Prolate const twenty(20);
  CHECK(double(twenty.value(0.5L)) == doctest::Approx(0.076429753161585).epsilon(1e-13));
  CHECK(double(twenty.integral(0.5L) / twenty.integral(1)) == doctest::Approx(0.979449818942698).epsilon(1e-14));
  CHECK(double(twenty.integral(1)) == doctest::Approx(0.280249560819896).epsilon(1e-14));
  CHECK(double(twenty.second_moment()) == doctest::Approx(0.048099939498065).epsilon(1e-13));
  CHECK(double(twenty.value(1)) / 3.2255e-8 == doctest::Approx(1).epsilon(1e-4));
}

TEST_CASE("prolate function: its differential equation, with x = 1 and x = 0") {
  for (double c : {0.5, 5.0, 17.3, 33.0, 60.0, 120.0}) {
    Prolate const psi(c);
    long double const chi = -psi.second(0);  // (1 - x^2) psi'' - 2 x psi' + (chi - c^2 x^2) psi = 0 at x = 0
    for (long double x : {0.0L, 1e-6L, 0.1L, 0.37L, 0.8L, 0.99L, 1.0L}) {
      long double const residual =
          (1 - x * x) * psi.second(x) - 2 * x * psi.derivative(x) + (chi - c * c * x * x) * psi.value(x);
      CHECK(std::abs(double(residual)) < 1e-14 * c * c);
      CHECK(double(psi.slope(x) * x) == doctest::Approx(double(psi.derivative(x))));
    }
    CHECK(double(psi.slope(0)) == doctest::Approx(double(psi.second(0))).epsilon(1e-15));
  }
}

TEST_CASE("prolate function: the derivative of its slope, which the differential equation gives too") {
  for (double c : {0.5, 5.0, 17.3, 40.0}) {
    Prolate const psi(c);
    for (long double x : {0.05L, 0.37L, 0.8L, 1.0L}) {
      // psi'' = slope + x^2 bend
      long double const bend = (psi.second(x) - psi.slope(x)) / (x * x);
      CHECK(std::abs(double(psi.bend(x) - bend)) < 1e-13 * double(psi.bend(0)));
    }
    // Near 0, slope = slope(0) + x^2 bend(0) / 2 + ...
    long double const x = 1e-4L / c;
    CHECK(double(2 * (psi.slope(x) - psi.slope(0)) / (x * x)) == doctest::Approx(double(psi.bend(0))).epsilon(1e-7));
  }
}

TEST_CASE("prolate function: integral and transform against quadrature") {
  nearfar::GaussLegendre const rule(120);
  for (double c : {3.0, 20.0, 40.0}) {
    Prolate const psi(c);
    for (long double x : {1e-9L, 0.2L, 1.0L})
      CHECK(double(psi.integral(x) / x) ==
            doctest::Approx(double(rule.integrate([&](long double u) { return psi.value(x * u); }))).epsilon(1e-15));
    for (long double x : {0.0L, 0.4L, 1.0L}) {
      auto const outer = [&](long double u) { return (x + (1 - x) * u) * psi.value(x + (1 - x) * u); };
      CHECK(std::abs(double(psi.outer_moment(x) - (1 - x) * rule.integrate(outer))) < 1e-17);
    }
    for (long double theta : {0.0L, 1e-3L, 0.7L, 3.14159265358979323846L, 11.0L, 39.0L, 80.0L}) {
      auto const transform = psi.transform(theta);
      long double const value = rule.integrate([&](long double u) { return psi.value(u) * std::cos(theta * u); });
      long double const slope = rule.integrate([&](long double u) { return -u * psi.value(u) * std::sin(theta * u); });
      CHECK(std::abs(double(transform.value - value)) < 1e-17);
      CHECK(std::abs(double(transform.derivative - slope)) < 1e-17);
      if (theta <= c)  // the eigenfunction property
        CHECK(std::abs(double(transform.value - psi.integral(1) * psi.value(theta / c))) < 1e-17);
    }
  }
}
