// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

namespace nearfar {

/// The mutual contribution: what a target that is also a source gives back to its source. A kernel's `add`
/// (near_pair.hpp, bare_pair.hpp) computes it with the same r and the same factors, for strengths times strength(c),
/// and with the sign result(m). Forces act alike from both ends; double layers and gradients change sign with r.
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
