// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

namespace nearfar {

/// What one task does of a block of targets: the points first .. last - 1. A block that holds much more work than
/// others is cut into several chunks; results are kept per chunk.
struct PointRange {
  int first = 0;
  int last = 0;

  NEARFAR_FUNCTION int count() const { return last - first; }
};

}  // namespace nearfar
