// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/error/plane_aliases.hpp"

#include "core/math/constants.hpp"

#include <cmath>

namespace nearfar {

namespace {

constexpr double images = 12.5;  // periods of the grid within which modes are looked at: transforms fall like 1 / k

/// Potential of the six lowest modes at an ion over its field, 6 * 4 pi n / k^2 over Madelung's 2.0354 per cell edge a,
/// with the density n = 2 / a^3 and k = 2 pi / a.
constexpr double six_modes = 1.88;
/// Its root mean square where the phase of the alias differs from ion to ion.
double const at_any_phase = std::sqrt(1 / 6.0);

/// The window's transform beyond its main lobe, where it oscillates like a sine: the envelope, so that no zero flatters
/// it.
double swing(WindowFunction const& window, double theta) {
  return std::hypot(window.transform(theta), window.transform(theta + pi<double> / 2));
}

}  // namespace

PlaneAliases::PlaneAliases(double first, double edge, int grid, double band, SplitShape const& shape) {
  double const period = 2 * pi<double> * grid / edge, longest = 2 * pi<double> / edge;
  if (first <= 0) return;
  // What the near part holds of mode 0's potential stays in the sum, as if 1 / k^2 had this value there.
  double const step = 1.0 / SplitShape::steps,
               at_zero = (shape.multiplier(0) - shape.multiplier(step)) / step / (band * band);
  for (double k = first; k < images * period; k += 2 * first) {
    double const image = std::round(k / period), taken_for = std::abs(k - image * period);
    if (image == 0 || taken_for > band) continue;
    bool const zero = taken_for < longest / 2, in_phase = zero || taken_for > 0.99 * first;
    double const over_k2 = zero ? at_zero : shape.multiplier(std::pow(taken_for / band, 2)) / (taken_for * taken_for);
    aliases_.push_back({k, zero ? 0 : taken_for, six_modes * (in_phase ? 1 : at_any_phase) * first * first * over_k2});
  }
}

double PlaneAliases::error(WindowFunction const& window, double half_width) const {
  double square = 0;
  for (Alias const& a : aliases_)
    square += std::pow(a.potential * swing(window, a.k * half_width) / window.transform(a.taken_for * half_width), 2);
  return std::sqrt(square);
}

}  // namespace nearfar
