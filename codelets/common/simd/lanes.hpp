// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cmath>

namespace nearfar {

/// Operations beside + - * / that bodies need of the type they compute with: a
/// scalar is a batch of one lane. For SIMD batches: codelets/common/simd/lanes_simd.hpp.
template <class V>
struct Lanes {
  using Scalar = V;
  static constexpr int count = 1;

  NEARFAR_FUNCTION static V load(V const* p) { return *p; }  ///< aligned to the batch
  NEARFAR_FUNCTION static V load_unaligned(V const* p) { return *p; }
  NEARFAR_FUNCTION static void store(V* p, V value) { *p = value; }
  NEARFAR_FUNCTION static void store_unaligned(V* p, V value) { *p = value; }

  /// Only the first `rest` lanes; the others are 0.
  NEARFAR_FUNCTION static V first(V value, int) { return value; }
  NEARFAR_FUNCTION static V load_first(V const* p, int) { return *p; }
  NEARFAR_FUNCTION static void store_first(V* p, V value, int) { *p = value; }

  /// 1 / sqrt(x), and 0 at x = 0.
  NEARFAR_FUNCTION static V inverse_root(V x) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    return x > V(0) ? rsqrt(x) : V(0);
#else
    using std::sqrt;
    return x > V(0) ? V(1) / sqrt(x) : V(0);
#endif
  }
  /// Lane i is the sum of the lanes of value[i]; destroys the values.
  NEARFAR_FUNCTION static V sums(V* value) { return *value; }
  /// Transposes a square of lanes.
  NEARFAR_FUNCTION static void transpose(V*) {}
};

}  // namespace nearfar
