// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/operators.hpp"

namespace nearfar {

/// The three kinds of shifts of expansions.
enum class Shift { m2m, m2l, l2l };

/// The operator of a run: `key` is a displacement (M2L) or an octant.
template <class T>
NEARFAR_FUNCTION AxialOperator<T> axial_operator(FmmOperators<T> const& operators, Shift shift, int key) {
  switch (shift) {
    case Shift::m2m: return operators.multipole_to_multipole(key);
    case Shift::m2l: return operators.multipole_to_local(key);
    case Shift::l2l: break;
  }
  return operators.local_to_local(key);
}

}  // namespace nearfar
