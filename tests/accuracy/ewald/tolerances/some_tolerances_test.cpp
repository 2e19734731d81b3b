// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/check_cases.hpp"

using namespace nearfar;
using namespace nearfar::accuracy;

// A few of the cases of every_tolerance_test, which is slow; every kernel, periodicity and precision is among them.
TEST_CASE("tolerance: uniform points") { check_cases(sweep(Distribution::uniform, {1e-4, 1e-8, 1e-12}), 1000, 50); }
TEST_CASE("tolerance: points in a corner") { check_cases(sweep(Distribution::corner, {1e-6}), 1000, 50); }
