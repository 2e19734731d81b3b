// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// For the *_simd.cpp files only, like simd_batch.hpp.

#include "codelets/lanes.hpp"
#include "codelets/simd_batch.hpp"

#include <utility>

namespace nearfar {

/// The lower, or the upper, lanes of a and b in turn.
template <bool Upper, class A, std::size_t... I>
[[gnu::always_inline]] inline A interleave(A a, A b, std::index_sequence<I...>) {
  constexpr int count = int(sizeof...(I)), first = Upper ? count / 2 : 0;
  return __builtin_shufflevector(a, b, (first + int(I) / 2 + (I % 2 == 0 ? 0 : count))...);
}

template <class T, class A>
struct Lanes<xsimd::batch<T, A> > {
  using V = xsimd::batch<T, A>;
  using Scalar = T;
  static constexpr int count = int(V::size);

  [[gnu::always_inline]] static V load(T const* p) { return V::load_aligned(p); }
  [[gnu::always_inline]] static V load_unaligned(T const* p) { return V::load_unaligned(p); }
  [[gnu::always_inline]] static void store(T* p, V value) { value.store_aligned(p); }
  [[gnu::always_inline]] static void store_unaligned(T* p, V value) { value.store_unaligned(p); }
  [[gnu::always_inline]] static T sum(V value) { return xsimd::hadd(value); }

  [[gnu::always_inline]] static V inverse_root(V x) {
    V const zero(T(0));
    return xsimd::select(x > zero, inverse_sqrt(x), zero);
  }

  /// log2(count) rounds in which row i and row i + count/2 are interleaved.
  [[gnu::always_inline]] static void transpose(V* row) {
    constexpr auto lanes = std::make_index_sequence<V::size>();
    for (int round = 1; round < count; round *= 2) {
      V next[count];
      for (int i = 0; i < count / 2; ++i) {
        next[2 * i] = V(interleave<false>(row[i].data, row[i + count / 2].data, lanes));
        next[2 * i + 1] = V(interleave<true>(row[i].data, row[i + count / 2].data, lanes));
      }
      for (int i = 0; i < count; ++i) row[i] = next[i];
    }
  }
};

}  // namespace nearfar
