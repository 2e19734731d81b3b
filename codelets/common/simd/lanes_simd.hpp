// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// For the *_simd.cpp files only, like simd_batch.hpp.

#include "codelets/common/simd/lanes.hpp"
#include "codelets/common/simd/simd_batch.hpp"

#include <utility>

namespace nearfar {

/// Interleaves the lower, or the upper, lanes of a and b.
template <bool Upper, class A, std::size_t... I>
[[gnu::always_inline]] inline A interleave(A a, A b, std::index_sequence<I...>) {
  constexpr int count = int(sizeof...(I)), first = Upper ? count / 2 : 0;
  return __builtin_shufflevector(a, b, (first + int(I) / 2 + (I % 2 == 0 ? 0 : count))...);
}

template <class T>
struct LaneNumbers {
  alignas(64) T value[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
};
template <class T>
inline constexpr LaneNumbers<T> lane_numbers;

template <class T, class A>
struct Lanes<xsimd::batch<T, A> > {
  using V = xsimd::batch<T, A>;
  using Scalar = T;
  static constexpr int count = int(V::size);

  [[gnu::always_inline]] static V load(T const* p) { return V::load_aligned(p); }
  [[gnu::always_inline]] static V load_unaligned(T const* p) { return V::load_unaligned(p); }
  [[gnu::always_inline]] static void store(T* p, V value) { value.store_aligned(p); }
  [[gnu::always_inline]] static void store_unaligned(T* p, V value) { value.store_unaligned(p); }

  [[gnu::always_inline]] static V first(V value, int rest) {
    if (rest >= count) return value;
    return xsimd::select(V::load_aligned(lane_numbers<T>.value) < V(T(rest)), value, V(T(0)));
  }
  [[gnu::always_inline]] static V load_first(T const* p, int rest) { return first(V::load_unaligned(p), rest); }
  [[gnu::always_inline]] static void store_first(T* p, V value, int rest) {
    if (rest >= count) return value.store_unaligned(p);
    alignas(64) T lane[count];
    value.store_aligned(lane);
    for (int i = 0; i < rest; ++i) p[i] = lane[i];
  }

  [[gnu::always_inline]] static V inverse_root(V x) {
    V const zero(T(0));
    return xsimd::select(x > zero, inverse_sqrt(x), zero);
  }

  [[gnu::always_inline]] static V sums(V* value) {
    transpose(value);
    V total = value[0];
    for (int i = 1; i < count; ++i) total = total + value[i];
    return total;
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
