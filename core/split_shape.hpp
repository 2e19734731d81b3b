// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/polynomial.hpp"

#include <nearfar/kernel.hpp>

#include <array>

namespace nearfar {

/// A split in units of its cutoff, and what it leaves out: all that the error model needs to know about it, whatever the
/// box and the grid are. "Energy" is the square of a multiplier summed over modes; index 0 is the potential or the
/// velocity, index 1 the gradient (whose multiplier has one more factor k).
struct SplitShape {
  double parameter = 0;            ///< c, or xi * cutoff
  double band = 0;                 ///< K * cutoff
  Polynomial<double> multiplier;   ///< ghat or w, in t = 2 (k / K)^2 - 1
  std::array<double, 2> dropped{}; ///< energy left out, in units of V * cutoff and V / cutoff
  double self = 0;                 ///< error of the self term, times cutoff
};

SplitShape make_split_shape(Split split, Kernel kernel, double parameter);

}  // namespace nearfar
