// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/power_of_two.hpp"

namespace nearfar {

/// The unit of length that a plan computes in: a power of two of the caller's, so that no digit changes on the way in
/// or out, chosen so that no power of a distance is out of range (boxes are about 1 wide).
class LengthUnit {
 public:
  LengthUnit() = default;
  /// Makes `length`, in the caller's unit, a number in [1, 2).
  static LengthUnit for_length(double length) { return LengthUnit(exponent_of(length)); }

  int exponent() const noexcept { return exponent_; }
  /// A length of the caller's, in ours.
  NEARFAR_FUNCTION double ours(double length) const noexcept { return in_(length); }
  /// And back.
  double callers(double length) const noexcept { return out_(length); }

 private:
  explicit LengthUnit(int exponent) : exponent_(exponent), in_(-exponent), out_(exponent) {}

  int exponent_ = 0;
  PowerOfTwo<double> in_, out_;
};

}  // namespace nearfar
