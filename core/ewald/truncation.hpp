// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <nearfar/kernel.hpp>

#include <array>
#include <cmath>

namespace nearfar {

/// The effect on a mode that is constant along the periodic directions of cutting the Green's function at
/// `radius` along the free ones: a factor on 8 pi / k^2 or 4 pi / k^2 (ewald.md, Sec. 3, divided by that). Inside
/// the radius the kernels may be off by a constant, which free_zero_mode corrects: Laplace kernels are shifted to
/// vanish at the cut, because a jump means large modes; and one factor serves all components of the Stokes
/// kernels, that of B (no 2 H). The factors are used for k * radius of about 3 and more, where nothing cancels.
struct Truncation {
  double radius = 0;
  int free = 0;  ///< number of free directions; 0: nothing is cut
  bool laplace = false;

  NEARFAR_FUNCTION double operator()(double k2) const {
    double const x = radius * sqrt(k2);
    if (free == 1) return 1 - cos(x);
    if (free == 2) return laplace ? 1 - j0(x) : 1 - j0(x) - 0.5 * x * j1(x);
    return laplace ? 1 - sin(x) / x : 1 + 0.5 * cos(x) - 1.5 * sin(x) / x;
  }
};

/// The multiplier at k = 0 with free directions: the limit of the cut one, plus the change from its constant to that
/// of the gauge, for each component of the result by our axes. `volume` is that of the padded grid, `area` that of the
/// cell across the free directions (its length in a box periodic in x); `gauge_length` is the length in logarithms.
std::array<double, 3> free_zero_mode(Truncation const& truncation, double volume, double area,
                                     double gauge_length) noexcept;

}  // namespace nearfar
