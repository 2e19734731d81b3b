// SPDX-License-Identifier: BSD-3-Clause
#include "core/far_model.hpp"

#include "core/constants.hpp"
#include "core/window_function.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

double square(double x) { return x * x; }

}  // namespace

FarModel::FarModel(std::array<double, 3> const& box, std::array<int, 3> const& grid, double cutoff, Kernel kernel,
                   bool gradient, SplitShape const& shape, double sources)
    : box_(box),
      grid_(grid),
      cutoff_(cutoff),
      band_(shape.band / cutoff),
      laplace_(kernel == Kernel::laplace),
      gradient_(gradient),
      sources_(sources) {
  for (int d = 0; d < 3; ++d) modes_[d] = modes_of(d);
  sum_modes(shape);
  dropped_[0] += shape.dropped[0] * volume() * cutoff;
  dropped_[1] += shape.dropped[1] * volume() / cutoff;
  dropped_self_ += shape.self / cutoff;
}

/// One by one while the multiplier is steep, then in groups whose middle stands for all: the sum over a large grid costs
/// no more than over a small one.
std::vector<FarModel::Mode> FarModel::modes_of(int d) const {
  double const unit = 2 * pi<double> / box_[d];
  int const last = static_cast<int>(band_ / unit * (1 + 1e-12)), last_on_grid = grid_[d] / 2 - 1;
  std::vector<Mode> modes{{0, 1, true}};
  for (int n = 1; n <= last;) {
    int length = std::max(1, std::min(n / 7, last / 18));
    int const stop = n <= last_on_grid ? std::min(last, last_on_grid) : last;
    length = std::min(length, stop - n + 1);
    modes.push_back({unit * (n + 0.5 * (length - 1)), 2.0 * length, n <= last_on_grid});
    n += length;
  }
  return modes;
}

void FarModel::sum_modes(SplitShape const& shape) {
  double const band2 = square(band_), prefactor = (laplace_ ? 4 : 8) * pi<double>;
  double left_out = 0;
  for (Mode& x : modes_[0])
    for (Mode& y : modes_[1])
      for (Mode& z : modes_[2]) {
        double const k2 = x.k * x.k + y.k * y.k + z.k * z.k;
        if (k2 > band2) break;
        if (k2 == 0) continue;
        double const weight = x.weight * y.weight * z.weight;
        double const multiplier = prefactor / k2 * shape.multiplier(2 * k2 / band2 - 1);
        double const energy = weight * square(multiplier), steep = energy * k2, amplitude = weight * multiplier;
        energy_[0] += energy;
        energy_[1] += steep;
        if (!(x.on_grid && y.on_grid && z.on_grid)) {
          dropped_[0] += energy;
          dropped_[1] += steep;
          left_out += amplitude;
          continue;
        }
        for (Mode* mode : {&x, &y, &z}) {
          mode->energy[0] += energy;
          mode->energy[1] += steep;
          mode->amplitude += amplitude;
        }
        Pair& shell = shell_[std::min(shells - 1, static_cast<int>(shells * k2 / band2))];
        shell[0] += energy;
        shell[1] += steep;
      }
  dropped_self_ += left_out / volume() * (laplace_ ? 1 : 2.0 / 3);
}

/// `self` is the mean square of what a unit source does to itself.
double FarModel::worst(Pair const& energy, Pair const& self) const {
  double const per_source = sources_ > 0 ? square(volume()) / sources_ * (laplace_ ? 1 : 1.5) : 0;
  double const potential = (energy[0] + per_source * self[0]) / energy_[0];
  return gradient_ ? std::max(potential, (energy[1] + per_source * self[1]) / energy_[1]) : potential;
}

double FarModel::truncation() const { return worst(dropped_, {square(dropped_self_), 0}); }

double FarModel::aliasing(WindowShape const& window) const {
  WindowFunction const function(window);
  double const edge = static_cast<double>(function.value(1));
  Pair wrong{}, self{};
  for (int d = 0, same = 1; d < 3; d += same) {
    same = 1;  // directions that are alike are worked out once
    while (d + same < 3 && box_[d + same] == box_[d] && grid_[d + same] == grid_[d]) ++same;
    double const h = box_[d] / grid_[d], half_width = window.points * h / 2, period = 2 * pi<double> / h;
    Pair in_phase{};
    for (Mode const& mode : modes_[d]) {
      if (!mode.on_grid) continue;
      double const k = mode.k, scale = 1 / function.transform(k * half_width);
      // The gradient is gathered with the derivative of the window inside its support, whose transform lacks the step at
      // the edge: i (k phihat - 2 phi(1) sin(k w) / w).
      auto const missing = [&](double k_image) { return 2 * edge * std::sin(k_image * half_width) / half_width; };
      double ratios = 0, slopes = square(scale * missing(k));
      for (int image : {-3, -2, -1, 1, 2, 3}) {
        double const tail = image * image == 9 ? 3.55 : 1;  // beyond, energies fall like 1 / image^2
        double const k_image = k + image * period, there = function.transform(k_image * half_width);
        double const ratio = scale * there, slope = scale * (k_image * there - missing(k_image));
        ratios += tail * square(ratio);
        slopes += tail * (square(slope) - square(k * ratio));
        if (image * image > 1) continue;
        in_phase[0] += ratio * mode.amplitude / 2;
        in_phase[1] += image * (ratio * k - slope) * mode.amplitude / 2;
      }
      double const both = 2 * ratios + ratios * ratios;  // spreading, gathering, and both at once
      wrong[0] += same * both * mode.energy[0];
      wrong[1] += same * (both * mode.energy[1] + slopes * mode.energy[0]);
    }
    self[0] += same * 8 * square(in_phase[0] / volume() * (laplace_ ? 1 : 2.0 / 3));
    self[1] += same * 2 * square(in_phase[1] / volume());
  }
  return worst(wrong, self);
}

double FarModel::rounding(WindowShape const& window, double epsilon) const {
  // White noise on the grid, relative to the root mean square there, before and after the division by the window's
  // transform. That transform is close to a function of |k| alone.
  WindowFunction const function(window);
  double h = 0;
  for (int d = 0; d < 3; ++d) h = std::max(h, box_[d] / grid_[d]);
  double const centre = function.transform(0), nyquist = pi<double> / 2 * window.points;
  double mean = 0;
  for (int i = 0; i < 16; ++i) mean += square(function.transform((i + 0.5) / 16 * nyquist) / centre) / 16;
  double const noise = 2 * square(3 * epsilon) * mean * mean * mean;
  Pair energy{};
  for (int i = 0; i < shells; ++i) {
    double const k = std::min(band_ * std::sqrt((i + 0.5) / shells), pi<double> / h);
    double const shrink = square(function.transform(k * window.points * h / 2) / centre);
    for (int q = 0; q < 2; ++q) energy[q] += noise * shell_[i][q] / shrink;
  }
  // Coordinates in grid units are rounded to a part of the box.
  for (int d = 0; d < 3; ++d)
    for (Mode const& mode : modes_[d])
      for (int q = 0; q < 2; ++q) energy[q] += 2 * square(0.3 * epsilon * box_[d] * mode.k) * mode.energy[q];
  return worst(energy, {0, 0});
}

}  // namespace nearfar
