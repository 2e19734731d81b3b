// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/check_cases.hpp"

using namespace nearfar;
using namespace nearfar::accuracy;

// Fewer tolerances and points than every_tolerance_test, which is slow.
TEST_CASE("tolerance: every kernel and periodicity, uniform points") {
  check_cases(sweep(Distribution::uniform, {1e-5, 1e-7, 1e-11}), 500, 60);
}

TEST_CASE("tolerance: every kernel and periodicity, points in a cluster, on a sphere, in a corner") {
  check_cases(sweep(Distribution::normal, {1e-8}), 500, 60);
  check_cases(sweep(Distribution::sphere, {1e-10}), 500, 60);
  check_cases(sweep(Distribution::corner, {1e-4}), 500, 60);
}
