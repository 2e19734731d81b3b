// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/far/far_multiplier.hpp"
#include "core/ewald/split/near_kernel.hpp"
#include "core/ewald/split/profile.hpp"
#include "core/math/constants.hpp"
#include "core/math/quadrature.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace nearfar;

namespace {

Profile const profiles[] = {{Split::pswf, 20, 0.5}, {Split::gaussian, 4.5, 0.5}};

}  // namespace

TEST_CASE("screened split: the far part of the Gaussian profile is known") {
  Profile const& profile = profiles[1];
  double const xi = 9;
  for (double lam : {1e-3, 1.0, 8.0, 60.0}) {
    Screened const screened(profile, lam);
    double const a = lam / (2 * xi);
    CHECK(double(screened.ghat()) == doctest::Approx(std::exp(a * a)).epsilon(1e-13));
    for (double r : {0.01, 0.1, 0.3, 0.5}) {
      double const near =
          (std::exp(lam * r) * std::erfc(xi * r + a) + std::exp(-lam * r) * std::erfc(xi * r - a)) / (2 * r);
      CHECK(std::abs(std::exp(-lam * r) / r - near - double(screened.far(r))) < 2e-13 / r);
    }
    // (2 xi / sqrt pi) e^{-a^2} - lam erfc(a)
    double const self = 2 * xi / std::sqrt(pi<double>) * std::exp(-a * a) - lam * std::erfc(a);
    CHECK(double(screened.far(0)) == doctest::Approx(self).epsilon(1e-11));
  }
}

TEST_CASE("screened split: the prolate far part is e^(-lam r) / r at the cutoff, and the transform of its multiplier") {
  Profile const& profile = profiles[0];
  GaussLegendre const rule(160);
  for (double lam : {1.0, 8.0, 60.0}) {
    Screened const screened(profile, lam);
    CHECK(double(screened.far(0.5)) == doctest::Approx(std::exp(-lam * 0.5) / 0.5).epsilon(1e-13));
    auto const multiplier = make_far_multiplier<double>(profile, Base::laplace, 1e-15);
    long double const band = std::sqrt((long double)(multiplier.band_squared));
    for (double r : {0.05, 0.2, 0.45}) {
      long double const sum = rule.integrate([&](long double u) {
        long double const k = band * u;
        return 2 / pi<long double> * band * profile.ghat(k) * k * std::sin(k * r) / (k * k + lam * lam) / r;
      });
      CHECK(std::abs(double(screened.far(r) - sum / screened.ghat())) < 1e-11 * double(screened.far(0)));
    }
  }
}

TEST_CASE("screened split: slope and curvature are derivatives, and layers and multiplier hold all of it") {
  constexpr std::array layers{Radial::potential, Radial::slope, Radial::curvature};
  for (Profile const& plain : profiles)
    for (double lam : {0.5, 8.0}) {
      Profile const profile(plain.split(), plain.parameter(), plain.cutoff(), lam);
      Screened const screened(profile, lam);
      auto const near = make_near_kernel<double>(profile, layers, 1e-13);
      CHECK(near.screening == lam);
      for (double r : {0.04, 0.21, 0.4}) {
        double const step = 1e-4, t = near.scale * r * r - 1;
        auto const at = [&](double x) { return screened.far(x); };
        CHECK(double(-(at(r + step) - at(r - step)) / (2 * step) / r) ==
              doctest::Approx(double(screened.slope(r))).epsilon(1e-5));
        auto const times = [&](double x) { return x * screened.far(x); };
        CHECK(double(-(times(r + step) - 2 * times(r) + times(r - step)) / (step * step) / r) ==
              doctest::Approx(double(screened.curvature(r))).epsilon(1e-4));
        CHECK(near.layer[0](t) == doctest::Approx(double(screened.far(r))).epsilon(1e-11));
        CHECK(near.layer[1](t) == doctest::Approx(double(screened.slope(r))).epsilon(1e-11));
      }
      auto const far = make_far_multiplier<double>(profile, Base::laplace, 1e-14);
      double const k = 7;
      CHECK(far(k * k) ==
            doctest::Approx(4 * pi<double> * double(profile.ghat(k) / screened.ghat()) / (k * k + lam * lam)));
    }
}

TEST_CASE("screened split: the closed form of the slope is the integral of the curvature") {
  GaussLegendre const rule(64);
  Profile const shapes[] = {{Split::pswf, 6, 0.5},
                            {Split::pswf, 20, 0.5},
                            {Split::pswf, 38, 0.01},
                            {Split::gaussian, 2.5, 0.5},
                            {Split::gaussian, 6, 3}};
  for (Profile const& profile : shapes)
    for (double times_cutoff : {1e-6, 0.1, 0.9, 4.0, 12.0, 40.0}) {
      Screened const screened(profile, times_cutoff / profile.cutoff());
      auto const integral = [&](long double r) {
        return rule.integrate([&](long double u) { return u * u * screened.curvature(u * r); });
      };
      long double const largest = integral(0);
      for (double of_cutoff : {0.0, 1e-9, 1e-4, 0.003, 0.01, 0.1, 0.3, 0.7, 1.0}) {
        CAPTURE(profile.parameter());
        CAPTURE(times_cutoff);
        CAPTURE(of_cutoff);
        long double const r = of_cutoff * profile.cutoff();
        // Strong screening leaves next to nothing of the far part, of terms that cancel.
        double const digits = times_cutoff > 10 ? 1e-13 : 1e-16;
        CHECK(double(std::abs(screened.slope(r) - integral(r)) / largest) < digits);
      }
    }
}
