// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

namespace nearfar {

/// Remainder in [0, n), also for negative i.
NEARFAR_FUNCTION int wrap(int i, int n) {
  if (i >= 0 && i < n) return i;  // nearly always, and GPUs divide slowly
  int const r = i % n;
  return r < 0 ? r + n : r;
}

/// Consecutive items of a ring: first, first + 1, ... modulo the ring's size. A task always reads such
/// a range along a periodic direction, so a few integers tell its body which buffer holds which item.
struct CyclicRange {
  int first = 0;
  int count = 0;
  int ring = 1;

  NEARFAR_FUNCTION int item(int i) const { return (first + i) % ring; }
  /// Place of an item in the range, which must contain it.
  NEARFAR_FUNCTION int place(int item) const { return item >= first ? item - first : item - first + ring; }
};

}  // namespace nearfar
