// SPDX-License-Identifier: BSD-3-Clause
#include "core/candidates.hpp"

#include "core/constants.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

constexpr int most_points = 16384;  // along the longest edge
constexpr double step = 1.035;

bool is_smooth(int n) {
  for (int prime : {2, 3, 5, 7})
    while (n % prime == 0) n /= prime;
  return n == 1;
}

int even_smooth_at_least(double least) {
  int n = std::max(2, static_cast<int>(std::ceil(least)));
  n += n % 2;
  while (!is_smooth(n)) n += 2;
  return n;
}

}  // namespace

std::vector<GridSize> candidate_grids(std::array<double, 3> const& box, int least) {
  double const longest = *std::max_element(box.begin(), box.end());
  std::vector<GridSize> grids;
  for (int m = even_smooth_at_least(least); m <= most_points; m = even_smooth_at_least(std::max(m + 2.0, m * step))) {
    GridSize grid;
    for (int d = 0; d < 3; ++d)
      grid[d] = even_smooth_at_least(std::max<double>(least, box[d] / longest * m * (1 - 1e-9)));
    grids.push_back(grid);
  }
  return grids;
}

double highest_mode(std::array<double, 3> const& box, GridSize const& grid) {
  double k = pi<double> * grid[0] / box[0];
  for (int d = 1; d < 3; ++d) k = std::min(k, pi<double> * grid[d] / box[d]);
  return k;
}

}  // namespace nearfar
