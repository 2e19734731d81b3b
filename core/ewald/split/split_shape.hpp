// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/row_shape.hpp"
#include "core/kernels/split.hpp"

#include <nearfar/kernel.hpp>

#include <array>
#include <memory>

namespace nearfar {

/// A split in units of its cutoff, and what it leaves out: all that the error model needs to know of it, whatever the
/// box and the grid. "Energy" is the square of a multiplier summed over modes. The index is the power of k beside the
/// multiplier: 0 is the potential or the velocity due to forces, 1 the gradient or the velocity of a double layer.
struct SplitShape {
  double parameter = 0;  ///< c, or xi * cutoff
  double band = 0;       ///< K * cutoff
  static constexpr int steps = 1024;
  std::array<double, steps + 2> table{};     ///< ghat or w, evenly in (k / K)^2
  static constexpr int hasimoto_powers = 3;  ///< of a Stokes base; no kernel has more
  std::array<double, max_powers> dropped{};  ///< energy left out, in units of V * cutoff^(1 - 2 power)
  std::array<double, max_powers> self{};     ///< error of the self term, times cutoff^(1 + power); 0 if odd
  double edge = 0;                           ///< largest multiplier ghat or w likely for a mode just beyond the band
  double cut = 0;  ///< near part beyond the cutoff, summed over points of unit strength and density, over cutoff^2

  /// ghat or w with a relative error of about 1e-3, for x = (k / K)^2 <= 1.
  double multiplier(double x) const {
    int const i = static_cast<int>(x * steps);
    return table[i] + (x * steps - i) * (table[i + 1] - table[i]);
  }
};

/// Those made last are kept. Thread-safe.
std::shared_ptr<SplitShape const> split_shape(Split split, Base base, double parameter);

}  // namespace nearfar
