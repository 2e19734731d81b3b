// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/split/profile.hpp"

#include "core/math/constants.hpp"
#include "core/math/quadrature.hpp"

#include <doctest/doctest.h>

#include <cmath>

using nearfar::Profile;
using nearfar::Split;

namespace {

Profile const profiles[] = {Profile(Split::pswf, 12, 0.25), Profile(Split::pswf, 30, 1.5),
                            Profile(Split::gaussian, 4, 0.5)};

}

TEST_CASE("profile: derivatives agree with differences, and start and end where they must") {
  for (Profile const& profile : profiles) {
    long double const rc = profile.cutoff(), step = 1e-5L * rc;
    CHECK(double(profile.value(0)) == 0);
    CHECK(double(profile.value(rc)) == doctest::Approx(1).epsilon(1e-7));
    for (long double r : {0.0L, 0.1L * rc, 0.5L * rc, 0.9L * rc}) {
      CHECK(double((profile.value(r + step) - profile.value(r - step)) / (2 * step)) ==
            doctest::Approx(double(profile.first(r))).epsilon(1e-6));
      CHECK(double((profile.first(r + step) - profile.first(r - step)) / (2 * step)) ==
            doctest::Approx(double(profile.second(r))).epsilon(1e-6));
      CHECK(double(r * profile.second_over_r(r)) == doctest::Approx(double(profile.second(r))));
      // Central differences of fourth order, whose error is step^4.
      auto const apart = [&](int steps) {
        return profile.second_over_r(r + steps * step) - profile.second_over_r(r - steps * step);
      };
      CHECK(std::abs(double((8 * apart(1) - apart(2)) / (12 * step) - r * profile.third_over_r(r))) <
            1e-11 * std::abs(double(rc * profile.third_over_r(0))));
    }
    CHECK(double(2 * (profile.second_over_r(step) - profile.second_over_r(0)) / (step * step)) ==
          doctest::Approx(double(profile.third_over_r(0))).epsilon(1e-7));
  }
}

TEST_CASE("profile: the multipliers are the cosine transform, and Hasimoto's rule") {
  nearfar::GaussLegendre const rule(100);
  for (Profile const& profile : profiles) {
    long double const range = profile.split() == Split::pswf ? profile.cutoff() : 2.5L * profile.cutoff();
    for (double share : {0.0, 0.2, 0.6, 0.95}) {
      long double const k = share * profile.band(1e-12);
      long double const direct =
          range * rule.integrate([&](long double u) { return profile.first(range * u) * std::cos(k * range * u); });
      CHECK(std::abs(double(profile.ghat(k) - direct)) < 1e-16);
      long double const slope = -range * rule.integrate([&](long double u) {
        return range * u * profile.first(range * u) * std::sin(k * range * u);
      });
      CHECK(std::abs(double(profile.hasimoto(k) - (direct - k / 2 * slope))) < 1e-15);
    }
    long double const moment =
        range * rule.integrate([&](long double u) { return range * u * range * u * profile.first(range * u); });
    CHECK(double(profile.second_moment()) == doctest::Approx(double(moment)).epsilon(1e-14));
  }
}

TEST_CASE("profile: the band") {
  Profile const gaussian(Split::gaussian, 4, 0.5);
  for (double error : {1e-3, 1e-12}) {
    double const band = gaussian.band(error);
    CHECK(double(gaussian.hasimoto(band)) / error == doctest::Approx(1).epsilon(1e-6));
    CHECK(double(gaussian.ghat(band)) < error);
  }
  Profile const pswf(Split::pswf, 30, 1.5);
  CHECK(pswf.band(1e-12) == 20);
  double const band = pswf.band(1e-3);  // a tolerance for which c = 30 is far too much
  CHECK(double(pswf.hasimoto(band)) / 1e-3 == doctest::Approx(1).epsilon(1e-6));
  CHECK(double(pswf.ghat(band)) < 1e-3);
  for (double error : {1e-3, 1e-12}) CHECK(nearfar::band(Split::pswf, 30, 1.5, error) == pswf.band(error));
  CHECK(pswf.ghat(pswf.band(0)) > 0);  // the edge belongs to the band
  CHECK(pswf.ghat(20.001) == 0);
  CHECK(pswf.hasimoto(20.001) == 0);
  CHECK(pswf.first(1.51) == 0);
  CHECK(pswf.value(1.51) == 1);
}
