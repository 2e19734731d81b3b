// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

namespace nearfar {

/// The targets of a block that one task works on: points first .. last - 1. A block with
/// much more work than others is cut into several chunks, each with its own results.
struct PointRange {
  int first = 0;
  int last = 0;

  NEARFAR_FUNCTION int count() const { return last - first; }
};

}  // namespace nearfar
