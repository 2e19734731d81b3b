// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

namespace nearfar {

/// What a target, if it is a source too, gives to its source: a kernel's `add` (core/kernels/near_pair.hpp,
/// core/kernels/bare_pair.hpp) with the same r and the same factors gives it, for strengths times strength(c) and but
/// for the sign result(m). Forces act alike from both ends; double layers and gradients change sign with r.
template <Kernel K, bool Gradient>
struct Mirror {
  static constexpr int strength(int c) {
    int const of_layer = K == Kernel::stokes ? c - 3 : c;
    return has_double_layer && of_layer >= 0 && of_layer < 3 ? -1 : 1;
  }
  static constexpr int result(int m) { return Gradient && m > 0 ? -1 : 1; }

 private:
  static constexpr bool has_double_layer = K == Kernel::stresslet || K == Kernel::stokes;
};

}  // namespace nearfar
