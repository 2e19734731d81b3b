// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/simd_batch.hpp"
#include "core/window_weights.hpp"

namespace nearfar {

/// A table of polynomials at s, in Vectors SIMD batches: bins beyond P are zero.
template <int Vectors, class V, class T>
[[gnu::always_inline]] inline void polynomial_vectors(T const (*rows)[window_row], int degree, T s, V* out) {
  constexpr int lanes = int(V::size);
  V const x(s);
  for (int v = 0; v < Vectors; ++v) out[v] = V::load_aligned(&rows[degree][v * lanes]);
  for (int d = degree - 1; d >= 0; --d)
    for (int v = 0; v < Vectors; ++v) out[v] = xsimd::fma(out[v], x, V::load_aligned(&rows[d][v * lanes]));
}

/// A Gaussian before its step is taken off, likewise.
template <int Vectors, class V, class T>
[[gnu::always_inline]] inline void gaussian_vectors(WindowTable<T> const& w, T s, V* out) {
  constexpr int lanes = int(V::size);
  alignas(64) T factor[window_row];
  for (int i = w.points; i < Vectors * lanes; ++i) factor[i] = 0;
  gaussian_factors(w, s, factor);
  for (int v = 0; v < Vectors; ++v)
    out[v] = V::load_aligned(w.gaussian.centre + v * lanes) * V::load_aligned(factor + v * lanes);
}

/// window_values in Vectors SIMD batches: bins beyond P are zero.
template <int Vectors, class V, class T>
[[gnu::always_inline]] inline void value_vectors(WindowTable<T> const& w, T s, V* out) {
  if (!(w.gaussian.decay > 0)) return polynomial_vectors<Vectors>(w.value, w.degree, s, out);
  gaussian_vectors<Vectors>(w, s, out);
  for (int v = 0; v < Vectors; ++v) out[v] = out[v] - V::load_aligned(w.gaussian.step + v * int(V::size));
}

/// window_slopes likewise.
template <int Vectors, class V, class T>
[[gnu::always_inline]] inline void slope_vectors(WindowTable<T> const& w, T s, V* out) {
  if (!(w.gaussian.decay > 0)) return polynomial_vectors<Vectors>(w.slope, w.degree, s, out);
  gaussian_vectors<Vectors>(w, s, out);
  V const shift(T(w.gaussian.decay) * s);
  for (int v = 0; v < Vectors; ++v) out[v] = out[v] * (V::load_aligned(w.gaussian.rise + v * int(V::size)) - shift);
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
