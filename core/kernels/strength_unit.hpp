// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// Factors on one vector of strengths on its way in, and on its results on their way out: powers of two, such
/// that the largest strengths are about 1 inside and no product of them overflows. Plain data that tasks read.
struct StrengthUnit {
  std::int32_t strength[3] = {0, 0, 0};  ///< exponent for each group of strengths
  std::int32_t result[2] = {0, 0};       ///< exponents for u or phi, and for the gradient
};

/// The group of a component of a row of strengths: f, q and n have three components each; a charge is a group.
NEARFAR_FUNCTION int strength_group(int component) { return component / 3; }
NEARFAR_FUNCTION int strength_groups(int strengths) { return (strengths + 2) / 3; }

/// Whether a component of a row of results belongs to a gradient, whose unit is not that of the potential before it.
NEARFAR_FUNCTION int result_unit(int results, int component) { return results == 4 && component > 0 ? 1 : 0; }

/// The unit for strengths whose largest |component| in each group is between 2^exponent[group] and twice that, or 0
/// where `present` is not set; `length` is the exponent of the unit of length. Single layers scale as 1/length, double
/// layers as q n / length^2 (core/kernels/direct.hpp). If there are both, the larger one decides, since they are added.
NEARFAR_FUNCTION StrengthUnit strength_unit(int strengths, int const* exponent, bool const* present, int length) {
  StrengthUnit unit;
  auto const enter = [&](int group, int by) { unit.strength[group] = -by; };
  if (strengths <= 3) {
    enter(0, exponent[0]);
    unit.result[0] = exponent[0] - length;
    unit.result[1] = unit.result[0] - length;
    return unit;
  }
  int const q = strengths - 6 > 0 ? 1 : 0, n = q + 1;  // groups
  bool const single = q == 1 && present[0], twofold = present[q] && present[n];
  int const of_single = exponent[0] - length, of_double = exponent[q] + exponent[n] - 2 * length;
  int const result = single && (!twofold || of_single > of_double) ? of_single : of_double;
  unit.result[0] = result;
  unit.result[1] = result - length;
  enter(n, exponent[n]);
  enter(q, twofold ? result + 2 * length - exponent[n] : exponent[q]);
  if (q == 1) enter(0, result + length);
  return unit;
}

}  // namespace nearfar
