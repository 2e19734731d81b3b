// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/simd_batch.hpp"
#include "core/window.hpp"

namespace nearfar {

/// All values of a window (or of its slope) at s, in Vectors SIMD batches: bins beyond P are zero.
template <int Vectors, class V, class T>
[[gnu::always_inline]] inline void window_vectors(T const (*rows)[window_row], int degree, T s, V* out) {
  constexpr int lanes = int(V::size);
  V const x(s);
  for (int v = 0; v < Vectors; ++v) out[v] = V::load_aligned(&rows[degree][v * lanes]);
  for (int d = degree - 1; d >= 0; --d)
    for (int v = 0; v < Vectors; ++v) out[v] = xsimd::fma(out[v], x, V::load_aligned(&rows[d][v * lanes]));
}

/// Calls body.template operator()<Vectors>() with as many batches as a window of `points` needs.
template <class V, int Vectors = 1, class Body>
[[gnu::always_inline]] inline void with_vectors(int points, Body const& body) {
  constexpr int lanes = int(V::size);
  if constexpr (Vectors * lanes >= max_window_points) {
    body.template operator()<Vectors>();
  } else {
    if (points <= Vectors * lanes) return body.template operator()<Vectors>();
    with_vectors<V, Vectors + 1>(points, body);
  }
}

}  // namespace nearfar
