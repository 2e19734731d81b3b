// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/error/in_step.hpp"

#include "core/ewald/tolerances.hpp"
#include "core/geometry/given_cell.hpp"
#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/near_precision.hpp"
#include "core/math/constants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nearfar {

double crystal_error(Arrangement const& sources, double most) noexcept {
  constexpr double in_step = 4;  // on the planes themselves
  double const square = sources.order() * sources.order();
  return std::min(std::max(most, 1.0), std::sqrt(1 + (in_step * in_step - 1) * square));
}

namespace {

/// What part of the highest modes of a grid is in step for sources of this spread along one axis.
double in_step_along(std::size_t axis, Arrangement const& sources, EwaldPlanning const& p) {
  double const turns = sources.spread()[axis] / p.box[axis], phase = pi<double> * p.grid[axis] * turns,
               turn = 2 * pi<double> * turns;
  // Of a slab (sin x / x)^2 with x^2 = 3 phase^2, without its zeros; nothing if it fills the box.
  return std::exp(-turn * turn) / (1 + 3 * phase * phase);
}

/// The near part of the erf split beyond the cutoff, times the distance: of neighbours that many axes have, as if all
/// within the cutoff lost so much. It falls by e within cutoff / 2 c^2 (ewald.md, Sec. 6).
double beyond_cutoff(EwaldOptions const& o, EwaldPlanning const& p) {
  double const c = p.split_parameter, twice = 2 * c * c,
               of_flow = describe(o.kernel).base == Base::hasimoto ? 1 + twice : 1;
  int axes = 0;
  for (int d = 0; d < 3; ++d) axes += is_periodic(o.periodicity, d) ? 1 : 0;
  return o.split == Split::gaussian ? axes / twice * of_flow * std::erfc(c) : 0;
}

/// Rounding of the lowest modes across a layer, whose potentials grow with the free edge: 3 to 10 units in the last
/// place of 2 pi / A times it.
double rounding_across(EwaldOptions const& o, EwaldPlanning const& p) {
  constexpr double units = 12;
  double edge = 0, area = 1;
  int free = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    if (is_periodic(o.periodicity, int(d))) area *= p.box[d];
    else edge = p.box[d], ++free;
  }
  return free == 1 ? units * std::numeric_limits<double>::epsilon() * 2 * pi<double> * edge / area : 0;
}

}  // namespace

std::array<double, 3> in_step_across(Arrangement const& sources, EwaldPlanning const& p) noexcept {
  constexpr double of_all = 0.7;  // 0.15 to 0.6 were measured
  std::array<double, 3> part;
  for (std::size_t d = 0; d < 3; ++d) part[d] = of_all * in_step_along(d, sources, p);
  return part;
}

double averaged_over(double sources, Arrangement const& arrangement, EwaldPlanning const& p) noexcept {
  double alike = 1;
  for (std::size_t d = 0; d < 3; ++d) alike *= in_step_along(d, arrangement, p);
  return 1 / (alike + (1 - alike) / std::max(1.0, sources));
}

double in_step_pairs(Arrangement const& sources, double count, EwaldOptions const& o, EwaldPlanning const& p,
                     bool in_single) {
  // 0.25 to 2.3 times the fits' tolerance were measured, and 0.08 to 0.1 times what pairs in single precision may be
  // off by.
  constexpr double of_fit = 2.5, of_single = 0.1;
  double const error =
      of_fit * fit_error(o.tolerance) + beyond_cutoff(o, p) + (in_single ? of_single * single_near_error : 0);
  double neighbours = count / fullness_of(o);
  for (std::size_t d = 0; d < 3; ++d) {
    double const within = 2 * p.cutoff, thickness = std::min(p.box[d], std::sqrt(12.0) * sources.spread()[d]);
    neighbours *= is_periodic(o.periodicity, int(d)) ? within / p.box[d] : std::min(1.0, within / thickness);
  }
  return error * neighbours / p.cutoff + count * rounding_across(o, p);
}

}  // namespace nearfar
