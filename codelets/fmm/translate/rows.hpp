// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/simd/lanes.hpp"
#include "core/fmm/packed.hpp"

namespace nearfar {

/// Expansions as rows of lanes: each coefficient of `Vectors` batches of boxes, then the
/// next one. They are read from and added to separately stored expansions by transposing
/// squares of lanes. On the way, coefficient c of batch v becomes change(c, v, value).

/// Lanes beyond `count` repeat the first box.
template <int Vectors, class V, class T, class Change>
NEARFAR_FUNCTION void gather_rows(int order, T const* const* source, int count, V* into, Change const& change) {
  using L = Lanes<V>;
  int const stride = expansion_stride<T>(order);
  for (int v = 0; v < Vectors; ++v) {
    T const* box[L::count];
    for (int i = 0; i < L::count; ++i) box[i] = source[v * L::count + i < count ? v * L::count + i : 0];
    for (int c = 0; c < stride; c += L::count) {
      V square[L::count];
      for (int i = 0; i < L::count; ++i) square[i] = L::load(box[i] + c);
      L::transpose(square);
      for (int i = 0; i < L::count; ++i) into[(c + i) * Vectors + v] = change(c + i, v, square[i]);
    }
  }
}

/// Batch v of `count` boxes, of which the first `Whole` batches are full.
template <bool Whole, int Vectors, class V, class T, class Change>
NEARFAR_FUNCTION void scatter_batch(int stride, V const* from, T* const* target, int v, int count,
                                    Change const& change) {
  using L = Lanes<V>;
  for (int c = 0; c < stride; c += L::count) {
    V square[L::count];
    for (int i = 0; i < L::count; ++i) square[i] = change(c + i, v, from[(c + i) * Vectors + v]);
    L::transpose(square);
    for (int i = 0; i < L::count && (Whole || i < count); ++i) {
      T* const to = target[i] + c;
      L::store(to, L::load(to) + square[i]);
    }
  }
}

/// Adds to the first `count` boxes; rows after the last coefficient are cleared.
template <int Vectors, class V, class T, class Change>
NEARFAR_FUNCTION void scatter_rows(int order, V* from, T* const* target, int count, Change const& change) {
  constexpr int lanes = Lanes<V>::count;
  int const stride = expansion_stride<T>(order);
  for (int i = coefficient_count(order) * Vectors; i < stride * Vectors; ++i) from[i] = V(T(0));
  for (int v = 0; v * lanes < count; ++v) {
    int const left = count - v * lanes;
    if (left >= lanes) scatter_batch<true, Vectors>(stride, from, target + v * lanes, v, lanes, change);
    else scatter_batch<false, Vectors>(stride, from, target + v * lanes, v, left, change);
  }
}

}  // namespace nearfar
