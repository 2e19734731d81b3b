// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/far/far_multiplier.hpp"

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
