// SPDX-License-Identifier: BSD-3-Clause
#include "core/candidates.hpp"

#include "core/axes.hpp"
#include "core/far_grid.hpp"

#include <algorithm>

namespace nearfar {

namespace {

constexpr int most_points = 16384;  // along the longest edge
constexpr double step = 1.035;

}  // namespace

std::vector<GridChoice> candidate_grids(std::array<double, 3> const& box, Periodicity periodicity, int least) {
  double const longest = *std::max_element(box.begin(), box.end());
  std::vector<GridChoice> grids;
  int const coarsest = periodicity == Periodicity::none ? 2 : least;
  for (int m = even_smooth_at_least(coarsest); m <= most_points;
       m = even_smooth_at_least(std::max(m + 2.0, m * step))) {
    GridChoice grid{{}, longest / m};
    for (std::size_t d = 0; d < 3; ++d)
      if (is_periodic(periodicity, int(d)))
        grid.size[d] = even_smooth_at_least(std::max<double>(least, box[d] / longest * m * (1 - 1e-9)));
    grids.push_back(grid);
  }
  return grids;
}

}  // namespace nearfar
