// SPDX-License-Identifier: BSD-3-Clause
#include "tests/core/poisson/error_table.hpp"

using namespace nearfar::known;

TEST_CASE("poisson: errors for a Gaussian on finer grids") {
  for (int i : {3, 4}) check_gaussian(table[i]);
}

TEST_CASE("poisson: errors for a sphere on finer grids") {
  for (int i : {3, 4}) check_sphere(sphere_table[i]);
}
