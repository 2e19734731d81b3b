// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cmath>
#include <cstdint>

namespace nearfar {

/// Expansions up to degree `order` store only the orders m >= 0, as real numbers (fmm.md, Sec. 1.3),
/// degree by degree: (n, 0), Re (n, 1), Im (n, 1), ..., Im (n, n); the coefficients (n, 0) are real.
inline constexpr int max_fmm_order = 30;

NEARFAR_FUNCTION constexpr int coefficient_count(int order) { return (order + 1) * (order + 1); }
NEARFAR_FUNCTION constexpr int real_index(int n, int m) { return m == 0 ? n * n : n * n + 2 * m - 1; }
NEARFAR_FUNCTION constexpr int imag_index(int n, int m) { return n * n + 2 * m; }

/// Index of the pair (n, m), 0 <= m <= n <= order: n(n+1)/2 + m.
NEARFAR_FUNCTION constexpr int pair_count(int order) { return (order + 1) * (order + 2) / 2; }
struct DegreeAndOrder {
  int n, m;
};
NEARFAR_FUNCTION DegreeAndOrder pair_at(int number) {
  using std::sqrt;
  int n = int((sqrt(float(8 * number + 1)) - 1) / 2);
  if (n * (n + 1) / 2 > number) --n;
  if ((n + 1) * (n + 2) / 2 <= number) ++n;
  return {n, number - n * (n + 1) / 2};
}

/// Stride from one expansion to the next: whole cache lines, and so whole SIMD vectors of any width.
template <class T>
NEARFAR_FUNCTION constexpr int expansion_stride(int order) {
  constexpr int line = 64 / int(sizeof(T));
  return (coefficient_count(order) + line - 1) / line * line;
}

/// Numbers of T in the expansions of a block of boxes: box by box, the right-hand sides of a box in turn.
template <class T>
NEARFAR_FUNCTION constexpr std::int64_t expansion_size(int order, int rhs, std::int64_t boxes) {
  return boxes * rhs * expansion_stride<T>(order);
}

}  // namespace nearfar
