// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/error/in_step.hpp"

#include "core/math/constants.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

double crystal_error(Arrangement const& sources, double most) noexcept {
  constexpr double in_step = 4;  // on the planes themselves
  double const square = sources.order() * sources.order();
  return std::min(std::max(most, 1.0), std::sqrt(1 + (in_step * in_step - 1) * square));
}

std::array<double, 3> in_step_across(Arrangement const& sources, EwaldPlanning const& p) noexcept {
  constexpr double of_all = 0.2;  // 0.15 was measured
  std::array<double, 3> part;
  for (std::size_t d = 0; d < 3; ++d) {
    double const turns = sources.spread()[d] / p.box[d], phase = pi<double> * p.grid[d] * turns,
                 turn = 2 * pi<double> * turns;
    // Of a slab (sin x / x)^2 with x^2 = 3 phase^2, without its zeros; nothing if it fills the box.
    part[d] = of_all * std::exp(-turn * turn) / (1 + 3 * phase * phase);
  }
  return part;
}

}  // namespace nearfar
