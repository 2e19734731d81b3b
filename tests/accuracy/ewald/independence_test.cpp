// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/every.hpp"
#include "tests/accuracy/solve.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace nearfar;

// What a plan chooses is its own business: the sum is one and the same. No reference here, so nothing that the library
// and the oracle could share goes unseen.
TEST_CASE("property: cutoff, split and window do not matter, to 1e-12") {
  Runtime const runtime;
  for (Periodicity periodicity : every_periodicity)
    for (Kernel kernel : every_kernel) {
      auto const system = random_system(periodicity, kernel, {1, 1.3, .8}, 200, 200, 31);
      auto const u = solve_whole(runtime, system, {.tolerance = 1e-12});
      for (EwaldOptions const& other : {EwaldOptions{.tolerance = 1e-12, .cutoff = 0.3},
                                        {.tolerance = 1e-12, .cutoff = 0.39},
                                        {.tolerance = 1e-12, .window = Window::pswf, .cutoff = 0.35},
                                        {.tolerance = 1e-12, .split = Split::gaussian, .cutoff = 0.35},
                                        {.tolerance = 1e-12, .split = Split::gaussian, .cutoff = 0.39}}) {
        auto const label = title(system) + ", " + std::string(name(other.split)) + ", " +
                           std::string(name(other.window)) + ", cutoff " + std::to_string(*other.cutoff);
        check_error(label, system, solve_whole(runtime, system, other), u, 1e-12);
      }
    }
}
