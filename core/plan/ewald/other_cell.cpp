// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/other_cell.hpp"

#include "core/geometry/given_cell.hpp"
#include "core/geometry/near_frame.hpp"
#include "core/kernels/pairs/near_precision.hpp"
#include "core/plan/ewald/layout.hpp"
#include "core/plan/ewald/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace nearfar {

namespace {

/// Of the tolerance for the far part; plans are made for about as much.
constexpr double far_share = 0.5;
/// A grid with more points than this, beside one that is just fine enough, costs more than a new plan is worth.
constexpr double most_points = 1.05;

/// The cells of the near part with heights that are others: as thick as before, and cut into blocks as evenly.
int cells_along(int cells, int blocks, double stretch) {
  int const wanted = std::max({blocks, min_periodic_cells, int(std::floor(cells * stretch + 1e-9))});
  return cells % blocks == 0 && wanted / blocks * blocks >= min_periodic_cells ? wanted / blocks * blocks : wanted;
}

}  // namespace

template <class T>
std::optional<EwaldPlanning> in_other_cell(EwaldOptions const& planned, EwaldPlanning const& chosen,
                                           EwaldOptions const& other) {
  auto const before = heights_of(planned), now = heights_of(other);
  EwaldPlanning p = chosen;
  p.box = other.box;
  p.cell = rows_of(other);
  double finer = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    if (!is_periodic(other.periodicity, int(d))) continue;
    finer *= planned.box[d] / other.box[d];
    if (p.halo_cells == 0) {
      p.cells[d] = cells_along(chosen.cells[d], chosen.blocks[d], now[d] / before[d]);
      if (std::is_same_v<T, float>) p.cells[d] = cells_that_keep_digits(p.cells[d], chosen.blocks[d]);
    } else if (std::ceil(p.cutoff / now[d] * p.cells[d]) > p.halo_cells) return {};
  }
  if (finer > most_points) return {};
  double const of_pairs = p.near_in_single ? single_near_error : 0;
  p.estimated_error = std::hypot(estimate_far_error<T>(other, p), of_pairs);
  if (p.estimated_error > std::max(chosen.estimated_error, far_share * other.tolerance)) return {};
  return p;
}

template std::optional<EwaldPlanning> in_other_cell<float>(EwaldOptions const&, EwaldPlanning const&,
                                                           EwaldOptions const&);
template std::optional<EwaldPlanning> in_other_cell<double>(EwaldOptions const&, EwaldPlanning const&,
                                                            EwaldOptions const&);

}  // namespace nearfar
