// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

namespace nearfar {

/// A pair in free space by the formulas of the near part, `Near`: those of a split that leaves nothing to the far part.
template <class Near>
struct BareBy {
  static constexpr int flops = Near::flops + 3 * Near::factor_count;

  template <class V>
  NEARFAR_FUNCTION static void add(V inverse, V x, V y, V z, V const* strength, V* result) {
    V layer[Near::polynomials], factor[Near::factor_count];
    for (V& value : layer) value = V(0);
    Near::factors(layer, inverse, factor);
    Near::add(factor, x, y, z, strength, result);
  }
};

}  // namespace nearfar
