// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

namespace nearfar {

/// Numbers of a symmetric tensor, xx, yy, zz, xy, xz, yz, and the two axes of each.
inline constexpr int virial_size = 6;
struct VirialAxes {
  int a, b;
};
NEARFAR_FUNCTION constexpr VirialAxes virial_axes(int m) {
  return m < 3 ? VirialAxes{m, m} : VirialAxes{m == 5 ? 1 : 0, m == 3 ? 1 : 2};
}

}  // namespace nearfar
