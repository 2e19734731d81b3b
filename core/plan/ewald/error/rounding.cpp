// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/window/window_function.hpp"
#include "core/math/constants.hpp"
#include "core/plan/ewald/error/field_model.hpp"

#include <algorithm>
#include <limits>

namespace nearfar {

namespace {

double square(double x) { return x * x; }

}  // namespace

/// Mean square of the window's slope in one direction, or of its second slope, relative to that of its value. `mean` is
/// that of its transform.
double FieldModel::mean_slope(WindowShape const& window, double mean, int derivative) const {
  WindowFunction const function(window);
  double const centre = function.transform(0), nyquist = pi<double> / 2 * window.points;
  double h = box_[0] / grid_[0], sum = 0;
  for (int d = 1; d < 3; ++d) h = std::min(h, box_[d] / grid_[d]);
  for (int i = 0; i < 16; ++i) {
    double const part = (i + 0.5) / 16, k = part * pi<double> / h;
    sum += square((derivative > 1 ? k : 1) * k * function.transform(part * nyquist) / centre) / 16;
  }
  return sum / mean;
}

FarSquare FieldModel::rounding(WindowShape const& window, double epsilon) const {
  constexpr double double_epsilon = std::numeric_limits<double>::epsilon() / 2;
  WindowFunction const function(window);
  double const points = window.points, centre = function.transform(0), nyquist = pi<double> / 2 * points;
  auto const shrink = [&](double k_h) { return square(function.transform(k_h * points / 2) / centre); };
  double mean = 0;  // of the squared transform over the grid's modes
  for (int i = 0; i < 16; ++i) mean += square(function.transform((i + 0.5) / 16 * nyquist) / centre) / 16;

  // White noise on the grid, relative to the root mean square there, before and after the division by the window's
  // transform. That transform is close to a function of |k| alone.
  // The factors 3 and 5 are measured (tests/core/plan/ewald/estimate_test.cpp).
  // What is spread with slopes comes with the noise of slopes, however smooth the mode is.
  double const slope = field_.spreads_slopes ? mean_slope(window, mean, 1) : 0;
  // So does what is gathered with slopes: of them 0.1 is measured, of second slopes 0.5 (docs/ewald.md, Sec. 1.3).
  double const gathered = field_.gathers_slopes ? 0.1 * mean_slope(window, mean, 1) : 0,
               gathered_seconds = field_.derivatives > 1 ? 0.5 * mean_slope(window, mean, 2) : 0;
  auto const first = std::size_t(field_.first);
  Powers energy{}, self{};
  double h = 0;
  for (int d = 0; d < 3; ++d) h = std::max(h, box_[d] / grid_[d]);
  for (int i = 0; i < shells; ++i) {
    double const k_h = std::min(band_ * std::sqrt((i + 0.5) / shells) * h, pi<double>);
    double const noise = 2 * square(3 * epsilon) * mean * mean * mean / shrink(k_h);
    for (std::size_t q = 0; q < powers; ++q) energy[q] += noise * shell_[i][q];
    for (std::size_t q = 1; q < powers; ++q)
      energy[q] += 1.5 * slope * noise * shell_[i][q - 1];  // in three directions, when spreading
  }
  for (int d = 0; d < 3; ++d)
    for (Mode const& mode : modes_[d]) {
      if (!mode.on_grid) continue;
      // The window's values in this direction are rounded while the other two directions keep their decay: noise in k_d
      // alone. A point is spread and gathered with the same rounded values, so its own noise acts on it in phase.
      double const decay = shrink(mode.k * box_[d] / grid_[d]);
      double const values = 2 * square(5 * epsilon) * mean / decay;
      // Coordinates in grid units, always formed in double, are rounded to a part of the box.
      double const position = 2 * square(0.3 * double_epsilon * box_[d] * mode.k);
      for (std::size_t q = 0; q < powers; ++q) energy[q] += (values + position) * mode.energy[q];
      for (std::size_t q = 1; q < powers; ++q) energy[q] += 0.5 * values * slope * mode.energy[q - 1];
      for (std::size_t q = first + 1; q < powers; ++q) energy[q] += values * gathered * mode.energy[q - 1];
      for (std::size_t q = first + 2; q < powers; ++q) energy[q] += values * gathered_seconds * mode.energy[q - 2];
      double const in_phase = square(2 * 5 * epsilon * mode.amplitude / volume()) / mode.weight * grid_[d] /
                              (square(points / 2 * centre) * decay);
      self[0] += in_phase * (laplace_ ? 1 : 4.0 / 9);
      self[1] += in_phase * square(mode.k);
      self[2] += in_phase * square(square(mode.k));
      self[3] += in_phase * square(mode.k * square(mode.k));
    }
  if ((laplace_ || field_.gathers_slopes) && slopes()) energy[1] += mean_energy_ * wrong_slope(window, epsilon, 1);
  if (field_.derivatives > 1) energy[2] += mean_energy_ * wrong_slope(window, epsilon, 2);
  return {worst(energy, self), 0, noise(energy, self, 1)};
}

}  // namespace nearfar
