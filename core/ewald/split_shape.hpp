// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/split.hpp"

#include <nearfar/kernel.hpp>

#include <array>

namespace nearfar {

/// A split in units of its cutoff, and what it leaves out: all that the error model needs to know of it, whatever the
/// box and the grid. "Energy" is the square of a multiplier summed over modes; index 0 is the potential or the velocity
/// due to forces, index 1 the gradient or the velocity of a double layer (whose multiplier has one more factor k), and
/// so on.
struct SplitShape {
  double parameter = 0;  ///< c, or xi * cutoff
  double band = 0;       ///< K * cutoff
  static constexpr int steps = 1024;
  std::array<double, steps + 2> table{};  ///< ghat or w, evenly in (k / K)^2
  std::array<double, 3> dropped{};        ///< energy left out, in units of V * cutoff, V / cutoff and V / cutoff^3
  double self = 0;                        ///< error of the self term, times cutoff
  double edge = 0;                        ///< largest multiplier ghat or w likely for a mode just beyond the band
  double cut = 0;  ///< near part beyond the cutoff, summed over points of unit strength and density, over cutoff^2

  /// ghat or w with a relative error of about 1e-3, for x = (k / K)^2 <= 1.
  double multiplier(double x) const {
    int const i = static_cast<int>(x * steps);
    return table[i] + (x * steps - i) * (table[i + 1] - table[i]);
  }
};

SplitShape make_split_shape(Split split, Base base, double parameter);

}  // namespace nearfar
