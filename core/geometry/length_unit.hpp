// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/power_of_two.hpp"

namespace nearfar {

/// The unit of length that a plan computes in: the caller's times a power of two, so that no digit changes on
/// the way in or out, and such that boxes are about 1 wide and no power of a distance overflows or underflows.
class LengthUnit {
 public:
  LengthUnit() = default;
  /// The unit in which `length`, given in the caller's unit, is in [1, 2).
  static LengthUnit for_length(double length) { return LengthUnit(exponent_of(length)); }

  int exponent() const noexcept { return exponent_; }
  /// Converts a length from the caller's unit to ours.
  NEARFAR_FUNCTION double ours(double length) const noexcept { return in_(length); }
  /// The reverse.
  double callers(double length) const noexcept { return out_(length); }

 private:
  explicit LengthUnit(int exponent) : exponent_(exponent), in_(-exponent), out_(exponent) {}

  int exponent_ = 0;
  PowerOfTwo<double> in_, out_;
};

}  // namespace nearfar
