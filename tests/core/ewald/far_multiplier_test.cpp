// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/far/far_multiplier.hpp"
#include "core/ewald/far/far_virial_operator.hpp"

#include "core/ewald/split/profile.hpp"
#include "core/kernels/description/description.hpp"
#include "core/math/constants.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace nearfar;

TEST_CASE("far multiplier: against the profile, inside and beyond the band") {
  for (Kernel kernel : {Kernel::stokeslet, Kernel::laplace})
    for (Profile const& profile :
         {Profile(Split::pswf, 9, 0.2), Profile(Split::pswf, 34, 1), Profile(Split::gaussian, 5, 0.4)}) {
      double const error = 1e-13;
      auto const far = make_far_multiplier<double>(profile, describe(kernel).base, error);
      double const band = profile.band(error), factor = (kernel == Kernel::laplace ? 4 : 8) * pi<double>;
      CHECK(far.prefactor == factor);
      for (int i = 1; i < 200; ++i) {
        double const k = band * i / 200;
        double const shape = double(kernel == Kernel::laplace ? profile.ghat(k) : profile.hasimoto(k));
        REQUIRE(std::abs(far(k * k) * k * k / factor - shape) < 3 * error);
      }
      CHECK(far(band * band * 1.001) == 0);
    }
}

TEST_CASE("far multiplier: single precision") {
  Profile const profile(Split::pswf, 14, 1);
  auto const far = make_far_multiplier<float>(profile, describe(Kernel::stokeslet).base, 1e-7);
  for (float k = 0.5f; k < 14; k += 0.5f)
    CHECK(std::abs(far(k * k) * k * k / (8 * pi<float>)-float(profile.hasimoto(k))) < 2e-6f);
}

TEST_CASE("far multiplier: a virial's modes, many at once, add up as one by one do") {
  Profile const profile(Split::pswf, 17, 0.3);
  for (double const screening : {0.0, 4.0}) {
    FarVirialOperator<double> const op{{{0.7}}, make_far_slope<double>(profile, 1e-13, screening)};
    double one_by_one[far_virial_size] = {}, together[far_virial_size] = {};
    FarVirialOperator<double>::Adder adder(op, together);
    for (int x = 0; x < 9; ++x)
      for (int y = -4; y < 5; ++y) {
        Mode<double> mode{.k = {5.0 * x, 6.0 * y, 7.0}, .slope = {}, .squared = 0, .paired = x > 0};
        if (x == 0 && y == 0) mode.k[2] = 0;
        for (double const k : mode.k) mode.squared += k * k;
        double const multiplier = (x + y) % 5 == 0 ? 0 : 1.0 / (3 + x), re = 1 + x, im = y;
        op.add(&multiplier, mode, &re, &im, one_by_one);
        adder.add(&multiplier, mode, &re, &im);
      }
    adder.add_all();
    CHECK(one_by_one[1] != 0);
    for (int m = 0; m < far_virial_size; ++m) CHECK(together[m] == doctest::Approx(one_by_one[m]).epsilon(1e-14));
  }
}
