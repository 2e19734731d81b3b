// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/check_cases.hpp"

using namespace nearfar::accuracy;

// The cases of docs/accuracy.md, all of them.
TEST_CASE("tolerance: every kernel, periodicity, precision and distribution, 1e-3 to 1e-12") {
  check_cases(every_case(), 1000, 100);
}
