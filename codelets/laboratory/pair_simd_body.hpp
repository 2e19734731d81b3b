// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// For *_simd.cpp files only, like codelets/common/simd/simd_batch.hpp.

#include "codelets/common/simd/lanes_simd.hpp"
#include "codelets/laboratory/pair_simd.hpp"

namespace nearfar {

template <class T, class A>
struct Apart<xsimd::batch<T, A>> {
  using V = xsimd::batch<T, A>;
  [[gnu::always_inline]] static V choose(V r2, V a, V b) { return xsimd::select(r2 > V(T(0)), a, b); }
};

template <class Tag, class F, class T>
void pairs_simd(PairSet<T> const& set, F const& function) {
  using V = Batch<T, Tag>;
  constexpr int count = int(V::size);
  for (std::int64_t i = 0; i < set.count; i += count) {
    int const lanes = int(set.count - i < count ? set.count - i : count);
    V x[F::dimensions];
    for (int d = 0; d < F::dimensions; ++d) {
      alignas(64) T lane[count] = {};
      for (int l = 0; l < lanes; ++l) lane[l] = set.position[d * set.count + i + l];
      x[d] = V::load_aligned(lane);
    }
    PairSums<F, V> sums;
    for (std::int64_t j = 0; j < set.count; ++j) {
      T y[F::dimensions], f[F::strengths];
      load_row<F::dimensions>(set.position, set.count, j, y);
      load_row<F::strengths>(set.strength, set.count, j, f);
      sums.add(function, x, y, f);
    }
    for (int m = 0; m < F::results; ++m) Lanes<V>::store_first(set.result + m * set.count + i, sums.at[m], lanes);
  }
}

}  // namespace nearfar
