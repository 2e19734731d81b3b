// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/split.hpp"
#include "core/math/function.hpp"

#include <nearfar/kernel.hpp>

#include <array>
#include <cmath>

namespace nearfar {

class Profile;

/// The effect on a mode that is constant along the periodic directions of cutting the Green's function at
/// `radius` along the free ones: a factor on 8 pi / k^2 or 4 pi / k^2 (ewald.md, Sec. 3, divided by that). Inside
/// the radius the kernels may be off by a constant, which free_zero_mode corrects: Laplace kernels are shifted to
/// vanish at the cut, because a jump means large modes; and one factor serves all components of the Stokes
/// kernels, that of B (no 2 H). The factors are used for k * radius of about 3 and more, where nothing cancels.
///
/// That of screened charges, e^(-lam r) / r less its value at the cut, is 1 - beside[0] f(x) - beside[1] g(x), with x =
/// k radius and f, g = cos, sin / x (one direction); J0, J1 / x (two); sin / x, (sin / x - cos) / x^2 (three).
struct Truncation {
  double radius = 0;
  int free = 0;  ///< number of free directions; 0: nothing is cut
  bool laplace = false;
  double screening = 0;                       ///< lam; 0: none
  double ghat = 1;                            ///< of screened charges, ghat(i lam)
  std::array<double, 2> beside = {1.0, 0.0};  ///< likewise

  NEARFAR_FUNCTION double operator()(double k2) const {
    double const x = radius * sqrt(k2);
    if (screening > 0) return screened(x);
    if (free == 1) return 1 - cos(x);
    if (free == 2) return laplace ? 1 - j0(x) : 1 - j0(x) - 0.5 * x * j1(x);
    return laplace ? 1 - sin(x) / x : 1 + 0.5 * cos(x) - 1.5 * sin(x) / x;
  }

 private:
  NEARFAR_FUNCTION double screened(double x) const {
    if (free == 1) return 1 - beside[0] * cos(x) - beside[1] * sin(x) / x;
    if (free == 2) return 1 - beside[0] * j0(x) - beside[1] * j1(x) / x;
    return 1 - beside[0] * sin(x) / x - beside[1] * (sin(x) / x - cos(x)) / (x * x);
  }
};

/// The screening is that of the profile.
Truncation make_truncation(double radius, int free, Base base, Profile const& profile);

/// The multiplier at k = 0 with free directions: the limit of the cut one, plus the change from its constant to that
/// of the gauge, for each component of the result by our axes. `volume` is that of the padded grid, `area` that of the
/// cell across the free directions (its length in a box periodic in x); `gauge_length` is the length in logarithms.
std::array<double, 3> free_zero_mode(Truncation const& truncation, double volume, double area,
                                     double gauge_length) noexcept;

}  // namespace nearfar
