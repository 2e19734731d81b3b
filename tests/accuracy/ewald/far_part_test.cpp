// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/every.hpp"
#include "tests/accuracy/mode_sum.hpp"
#include "tests/accuracy/solve.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace nearfar;

// Needs the plan's profile, so not the public API alone. With free directions the far part is judged as the whole minus
// the oracle's near part: free_directions_test.
TEST_CASE("property: the far part on the grid is the sum over modes") {
  Runtime const runtime;
  for (Kernel kernel : every_kernel)
    for (Split split : every_split)
      for (double tolerance : {1e-4, 1e-8, 1e-12}) {
        auto const system = random_system(kernel, {1, 1.3, .8}, 60, 40, 81, false);
        auto const outcome =
            solve(runtime, system,
                  {.tolerance = tolerance, .split = split, .zero_mode = ZeroMode::zero_mean_flow, .cutoff = .35});
        Profile const profile(split, outcome.parameters.split_parameter, outcome.parameters.cutoff);
        check_error(describe(system, split, outcome.parameters) + ", far", system, outcome.far,
                    mode_sum(system, profile, 1e-14), tolerance);
      }
}
