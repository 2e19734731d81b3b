// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/laboratory/pair_set.hpp"

namespace nearfar {

/// The same sums with a target in each SIMD lane, compiled once per instruction set (Tag of
/// codelets/common/simd/simd.hpp).
template <class Tag, class F, class T>
void pairs_simd(PairSet<T> const& set, F const& function);

}  // namespace nearfar
