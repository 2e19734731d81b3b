// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/truncation.hpp"

#include "core/math/constants.hpp"

namespace nearfar {

std::array<double, 3> free_zero_mode(Truncation const& t, double volume, double area, double gauge_length) noexcept {
  double const r = t.radius, log_r = std::log(r / gauge_length);
  if (t.laplace) {
    // Inside the radius the kernels are 1/r - 1/R, (2/L) ln(R/rho) and (2 pi/A)(R - |z|).
    if (t.free == 3) return {2 * pi<double> / 3 * r * r + volume / r, 0, 0};
    if (t.free == 2) return {pi<double> * r * r - 2 * log_r * volume / area, 0, 0};
    return {2 * pi<double> * r * r - 2 * pi<double> * r * volume / area, 0, 0};
  }
  if (t.free == 3) {
    double const gauge = 2 / r * volume;
    return {gauge, gauge, gauge};
  }
  if (t.free == 2) {
    double const across = -2 * (log_r + 0.5) * volume / area, along = 2 * across;
    return {across, across, along};
  }
  double const along = 4 * pi<double> * r * r - 4 * pi<double> * r * volume / area;
  return {0, along, along};
}

}  // namespace nearfar
