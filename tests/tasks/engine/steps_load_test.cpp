// SPDX-License-Identifier: BSD-3-Clause
#include "tests/tasks/engine/steps_memory.hpp"

#include <doctest/doctest.h>

TEST_CASE("load: two thousand steps, and five hundred sets of points, leave the memory as it is") {
  CHECK(nearfar::test::growth_of_steps(2000, 500) < 5e6);
}
