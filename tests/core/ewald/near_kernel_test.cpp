// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/split/near_kernel.hpp"

#include "core/ewald/split/profile.hpp"
#include "core/kernels/description/description.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace nearfar;

namespace {

struct Layers {
  long double a, b;
};

Layers direct_layers(Profile const& profile, Kernel kernel, long double r) {
  long double const phi = profile.value(r), first = profile.first(r);
  return {kernel == Kernel::laplace ? phi / r : phi / r + first, (phi / r - first) / (r * r)};
}

template <class T>
void check_layers(Profile const& profile, Kernel kernel, double error, double allowed) {
  auto const near = make_near_kernel<T>(profile, describe(kernel).near_layers, error);
  double const rc = profile.cutoff();
  double worst_a = 0, worst_b = 0;
  for (int i = 1; i <= 500; ++i) {
    T const r2 = static_cast<T>(std::pow(rc * i / 500.0, 2));
    T const t = near.scale * r2 - T(1);
    Layers const exact = direct_layers(profile, kernel, std::min<long double>(rc, std::sqrt((long double)(r2))));
    worst_a = std::max<double>(worst_a, std::abs(near.layer[0](t) - exact.a));
    worst_b = std::max<double>(worst_b, std::abs(near.layer[1](t) - exact.b));
  }
  double const self = double((kernel == Kernel::laplace ? 1 : 2) * profile.first(0));
  CHECK(worst_a / self < allowed);
  CHECK(worst_b / double(-profile.second_over_r(0) / 3) < allowed);
  CHECK(near.layer[0](T(-1)) == doctest::Approx(self).epsilon(allowed));  // the self term
  if (kernel == Kernel::stresslet) {
    double worst_c = 0;
    for (int i = 0; i <= 500; ++i) {
      T const t = T(2) * T(i) / T(500) - T(1);
      long double const r = rc * std::sqrt((1 + static_cast<long double>(t)) / 2);
      worst_c = std::max<double>(worst_c, std::abs(near.layer[2](t) + profile.second_over_r(r)));
    }
    CHECK(worst_c / double(-profile.second_over_r(0)) < allowed);
  }
  CHECK(near.layer[1](T(-1)) == doctest::Approx(double(-profile.second_over_r(0) / 3)).epsilon(allowed));
}

}  // namespace

TEST_CASE("near kernel: layers against the direct formulas, double") {
  for (Kernel kernel : {Kernel::stokeslet, Kernel::stresslet, Kernel::laplace})
    for (double rc : {0.03, 1.0, 7.0}) {
      for (double c : {10.0, 17.0, 26.0, 33.0, 40.0}) check_layers<double>({Split::pswf, c, rc}, kernel, 1e-13, 3e-13);
      for (double xi : {2.5, 4.0, 5.5}) check_layers<double>({Split::gaussian, xi, rc}, kernel, 1e-13, 3e-13);
    }
}

TEST_CASE("near kernel: the layer of second slopes is the slope of the curvature") {
  constexpr std::array layers{Radial::curvature, Radial::bend};
  for (double rc : {0.03, 1.0, 7.0})
    for (Profile const& profile :
         {Profile(Split::pswf, 17, rc), Profile(Split::pswf, 40, rc), Profile(Split::gaussian, 4, rc)}) {
      auto const near = make_near_kernel<double>(profile, layers, 1e-13);
      long double const largest = -profile.third_over_r(0), step = 1e-4L * rc;
      CHECK(near.layer[1](-1) == doctest::Approx(double(largest)).epsilon(3e-13));
      double worst = 0;
      for (int i = 1; i < 50; ++i) {
        long double const r = rc * i / 50.0L;
        auto const apart = [&](int steps) {
          return profile.second_over_r(r - steps * step) - profile.second_over_r(r + steps * step);
        };
        long double const slope = (45 * apart(1) - 9 * apart(2) + apart(3)) / (60 * step);
        double const layer = near.layer[1](double(2 * (r / rc) * (r / rc) - 1));
        worst = std::max(worst, std::abs(double((layer - slope / r) / largest)));
      }
      CHECK(worst < 1e-12);
    }
}

TEST_CASE("near kernel: layers in single precision, and looser fits are cheaper") {
  check_layers<float>({Split::pswf, 15, 0.1}, Kernel::stokeslet, 1e-7, 2e-6);
  check_layers<float>({Split::pswf, 15, 0.1}, Kernel::laplace, 1e-7, 2e-6);
  Profile const profile(Split::pswf, 17, 1);
  int last = 0;
  for (double error : {1e-4, 1e-6, 1e-8, 1e-10}) {
    auto const near = make_near_kernel<double>(profile, describe(Kernel::stokeslet).near_layers, error);
    CHECK(near.layer[0].degree > last);
    last = near.layer[0].degree;
  }
}
