// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/ewald/crystals/crystal.hpp"

#include <doctest/doctest.h>

#include <utility>

using namespace nearfar;

// Ordered charges: every error of the method is the same for all ions, and the field it is compared with is small.
TEST_CASE("tolerance: a crystal is as good as random points") {
  Runtime const runtime;
  for (Split split : {Split::pswf, Split::gaussian})
    for (double tolerance : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11})
      for (auto const& [m, shift] : {std::pair(20, 0.0), std::pair(32, 0.3)}) {
        double const error = rock_salt_error(runtime, m, shift, {.tolerance = tolerance, .split = split});
        CAPTURE(name(split));
        CAPTURE(m);
        CAPTURE(tolerance);
        CHECK(error < tolerance);
      }
}

TEST_CASE("tolerance: caesium chloride, whose cells lie alike between the points of the grid") {
  Runtime const runtime;
  for (Split split : {Split::pswf, Split::gaussian})
    for (double tolerance : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11})
      for (auto const& [m, shift] : {std::pair(16, 0.25), std::pair(20, 0.0), std::pair(12, 0.1)}) {
        double const error = caesium_chloride_error(runtime, m, shift, {.tolerance = tolerance, .split = split});
        CAPTURE(name(split));
        CAPTURE(m);
        CAPTURE(tolerance);
        CHECK(error < tolerance);
      }
}
