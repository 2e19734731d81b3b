// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/kernels.hpp"

#include <cmath>

namespace nearfar {

/// Adds the contribution of one source to one target in free space, r = target - source; none at r = 0.
/// Strengths and results are rows as in BasicEwald; `screening` and `softening_squared` are for kernels that have one.
template <class K, class T>
NEARFAR_FUNCTION void add_pair(T const* r, T const* strength, T* result, [[maybe_unused]] T screening = 0,
                               T softening_squared = 0) {
  T const r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  if (r2 == T(0)) return;
  T const inverse = T(1) / std::sqrt(r2 + softening_squared);
  if constexpr (is_screened<K>) K::Bare::add(screening, inverse, r[0], r[1], r[2], strength, result);
  else K::Bare::add(inverse, r[0], r[1], r[2], strength, result);
}

}  // namespace nearfar
