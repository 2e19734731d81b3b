// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cmath>
#include <limits>

namespace nearfar {

/// Multiplies by 2^exponent, in two steps because the power alone may be out of range even if the product is
/// not. No digit changes unless the product is subnormal; out of the range of T the result is infinite or 0.
template <class T>
struct PowerOfTwo {
  T first = 1, second = 1;

  PowerOfTwo() = default;
  NEARFAR_FUNCTION explicit PowerOfTwo(int exponent)
      : first(power(exponent / 2)), second(power(exponent - exponent / 2)) {}
  NEARFAR_FUNCTION T operator()(T x) const { return x * first * second; }

 private:
  NEARFAR_FUNCTION static T power(int exponent) {
    constexpr int low = std::numeric_limits<T>::min_exponent - 1, high = std::numeric_limits<T>::max_exponent - 1;
    return T(ldexp(1.0, exponent < low ? low : exponent > high ? high : exponent));
  }
};

/// The exponent for which a finite number has |x| / 2^exponent in [1, 2); 0 for all other numbers and for 0.
NEARFAR_FUNCTION int exponent_of(double x) { return x - x == 0 && x != 0 ? ilogb(x) : 0; }

}  // namespace nearfar
