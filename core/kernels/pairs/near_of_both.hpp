// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

namespace nearfar {

/// The near part of a source that is two kernels at once, its strengths those of First and then those of Second. First
/// begins with the layer of 1/r, and takes its further factors from Second, whose layers follow.
template <class First, class Second>
struct NearOfBoth {
  using One = typename First::Near;
  using Other = typename Second::Near;
  static constexpr int factor_count = 1 + Other::factor_count, first_layer = 0, polynomials = 1 + Other::polynomials,
                       flops = One::flops + Other::flops;

  template <class V>
  NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
    factor[0] = inverse - layer[0];
    Other::factors(layer + 1, inverse, factor + 1);
  }
  template <class V>
  NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* strengths, V* result) {
    One::add(factor, x, y, z, strengths, result);
    Other::add(factor + 1, x, y, z, strengths + First::strengths, result);
  }
};

}  // namespace nearfar
