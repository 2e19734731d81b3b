// SPDX-License-Identifier: BSD-3-Clause
// Crystals of every size at every tolerance: how their modes and planes lie between the points of the grid differs.
#include "tests/accuracy/ewald/crystals/crystal.hpp"

#include <doctest/doctest.h>

using namespace nearfar;

TEST_CASE("tolerance: crystals of many sizes, at tolerances in small steps") {
  Runtime const runtime;
  for (Split split : {Split::pswf, Split::gaussian}) {
    double worst = 0;
    for (int eighths = 24; eighths <= 88; eighths += 4)
      for (int cells : {4, 7, 10, 13, 16, 20, 24})
        for (double shift : {0.0, 0.25}) {
          double const tolerance = std::pow(10, -eighths / 8.0);
          EwaldOptions const options{.tolerance = tolerance, .split = split};
          double const cscl = caesium_chloride_error(runtime, cells, shift, options) / tolerance,
                       nacl = rock_salt_error(runtime, 2 * cells, shift, options) / tolerance;
          CAPTURE(name(split));
          CAPTURE(cells);
          CAPTURE(shift);
          CAPTURE(tolerance);
          CHECK(cscl < 1);
          CHECK(nacl < 1);
          worst = std::max({worst, cscl, nacl});
        }
    MESSAGE(name(split) << ": " << worst << " of the tolerance at most");
  }
}
