// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/description.hpp"

namespace nearfar::test {

/// How the strengths of a kernel with so many of them scale.
inline UnitShape unit_shape(int strengths) {
  for (Kernel kernel : {Kernel::laplace, Kernel::stokeslet, Kernel::stresslet, Kernel::stokes})
    if (describe(kernel).strengths == strengths) return describe(kernel).unit;
  return {};
}

}  // namespace nearfar::test
