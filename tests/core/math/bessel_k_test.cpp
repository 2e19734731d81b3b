// SPDX-License-Identifier: BSD-3-Clause
#include "core/math/bessel_k.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace nearfar;

TEST_CASE("bessel_k: values of a table") {
  // DLMF 10.32.9 by quadrature to 20 digits.
  CHECK(bessel_k(1).k0 == doctest::Approx(0.42102443824070833334).epsilon(4e-16).scale(0));
  CHECK(bessel_k(1).k1 == doctest::Approx(0.60190723019723457474).epsilon(4e-16).scale(0));
}

TEST_CASE("bessel_k: as the C++ library has them, from 1e-12 to where they underflow") {
  for (double x = 1e-12; x < 690; x *= 1.07) {
    CAPTURE(x);
    CHECK(bessel_k(x).k0 == doctest::Approx(std::cyl_bessel_k(0.0, x)).epsilon(2e-14).scale(0));
    CHECK(bessel_k(x).k1 == doctest::Approx(std::cyl_bessel_k(1.0, x)).epsilon(2e-14).scale(0));
  }
  CHECK(bessel_k(800).k0 == 0);
}

TEST_CASE("bessel_k: the Wronskian with I_0 and I_1") {
  for (double x = 1e-3; x < 600; x *= 1.3) {
    BesselK const k = bessel_k(x);
    CHECK(x * (std::cyl_bessel_i(0.0, x) * k.k1 + std::cyl_bessel_i(1.0, x) * k.k0) ==
          doctest::Approx(1).epsilon(1e-13).scale(0));
  }
}
