// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/simd/simd_batch.hpp"
#include "core/ewald/window/window_weights.hpp"

#include <atomic>

namespace nearfar {

/// A table of polynomials at s[0], s[1] and s[2], in `Vectors` SIMD batches each: bins beyond
/// P are zero. Coefficients are loaded once for all three, if there are enough registers.
template <int Vectors, class V, class T>
[[gnu::always_inline]] inline void polynomial_vectors(T const (*rows)[window_row], int degree, T const* s,
                                                      V (*out)[Vectors]) {
  constexpr int lanes = int(V::size), together = 3 * Vectors <= 12 ? 3 : 1;
  for (int first = 0; first < 3; first += together) {
    V x[together];
    for (int i = 0; i < together; ++i) x[i] = V(s[first + i]);
    for (int v = 0; v < Vectors; ++v)
      for (int i = 0; i < together; ++i) out[first + i][v] = V::load_aligned(&rows[degree][v * lanes]);
    for (int d = degree - 1; d >= 0; --d)
      for (int v = 0; v < Vectors; ++v) {
        V const coefficient = V::load_aligned(&rows[d][v * lanes]);
        for (int i = 0; i < together; ++i) out[first + i][v] = xsimd::fma(out[first + i][v], x[i], coefficient);
      }
  }
}

/// A Gaussian at one s, before its step is subtracted.
template <int Vectors, class V, class T>
[[gnu::always_inline]] inline void gaussian_vectors(WindowTable<T> const& w, T s, V* out) {
  constexpr int lanes = int(V::size);
  alignas(64) T factor[window_row];
  for (int i = w.points; i < Vectors * lanes; ++i) factor[i] = 0;
  gaussian_factors(w, s, factor);
  for (int v = 0; v < Vectors; ++v)
    out[v] = V::load_aligned(w.gaussian.centre + v * lanes) * V::load_aligned(factor + v * lanes);
}

/// window_values of a point along its three directions, in `Vectors` SIMD batches each: bins beyond P are zero.
template <int Vectors, class V, class T>
[[gnu::always_inline]] inline void value_vectors(WindowTable<T> const& w, T const* s, V (*out)[Vectors]) {
  if (!(w.gaussian.decay > 0)) return polynomial_vectors<Vectors>(w.value, w.degree, s, out);
  for (int d = 0; d < 3; ++d) {
    gaussian_vectors<Vectors>(w, s[d], out[d]);
    for (int v = 0; v < Vectors; ++v) out[d][v] = out[d][v] - V::load_aligned(w.gaussian.step + v * int(V::size));
  }
}

/// The same for window_slopes.
template <int Vectors, class V, class T>
[[gnu::always_inline]] inline void slope_vectors(WindowTable<T> const& w, T const* s, V (*out)[Vectors]) {
  if (!(w.gaussian.decay > 0)) return polynomial_vectors<Vectors>(w.slope, w.degree, s, out);
  for (int d = 0; d < 3; ++d) {
    gaussian_vectors<Vectors>(w, s[d], out[d]);
    V const shift(T(w.gaussian.decay) * s[d]);
    for (int v = 0; v < Vectors; ++v)
      out[d][v] = out[d][v] * (V::load_aligned(w.gaussian.rise + v * int(V::size)) - shift);
  }
}

/// The same for window_seconds.
template <int Vectors, class V, class T>
[[gnu::always_inline]] inline void second_vectors(WindowTable<T> const& w, T const* s, V (*out)[Vectors]) {
  polynomial_vectors<Vectors>(w.second, w.degree, s, out);
}

/// Windows of one point, or their slopes, along its three directions, point by point of the grid.
template <int Vectors, class V, class T>
struct Windows {
  static constexpr int size = Vectors * int(V::size);
  alignas(64) T at[3][size];

  [[gnu::always_inline]] inline void set_values(WindowTable<T> const& w, T const* s) {
    V vector[3][Vectors];
    value_vectors<Vectors>(w, s, vector);
    store(vector);
  }
  [[gnu::always_inline]] inline void set_slopes(WindowTable<T> const& w, T const* s) {
    V vector[3][Vectors];
    slope_vectors<Vectors>(w, s, vector);
    store(vector);
  }
  [[gnu::always_inline]] inline void set_seconds(WindowTable<T> const& w, T const* s) {
    V vector[3][Vectors];
    second_vectors<Vectors>(w, s, vector);
    store(vector);
  }

 private:
  [[gnu::always_inline]] inline void store(V (*vector)[Vectors]) {
    for (int d = 0; d < 3; ++d)
      for (int v = 0; v < Vectors; ++v) vector[d][v].store_aligned(at[d] + v * int(V::size));
  }
};

/// A row of a window on the grid, with this many numbers: whole batches and, if that
/// suffices, one half batch, since parts that cross a cache line are expensive.
template <class V, int Numbers>
struct Row {
  using T = typename V::value_type;
  static constexpr int lanes = int(V::size), whole = Numbers / lanes, vectors = (Numbers + lanes - 1) / lanes;
  static constexpr bool has_half = vectors > whole;
  // Not a batch: a function compiled for a lesser machine and one for this machine would have the same name.
  using Half [[gnu::vector_size(sizeof(V) / 2)]] = T;

  V batch[whole > 0 ? whole : 1];
  Half half;

  [[gnu::always_inline]] static inline Row load(T const* p) {
    Row r;
    for (int v = 0; v < whole; ++v) r.batch[v] = V::load_unaligned(p + v * lanes);
    if constexpr (has_half) __builtin_memcpy(&r.half, p + whole * lanes, sizeof(Half));
    return r;
  }
  /// For a row that is used more than once: compilers would reload it for each use, mostly across cache lines.
  [[gnu::always_inline]] static inline Row load_once(T const* p) {
    Row const r = load(p);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return r;
  }
  [[gnu::always_inline]] static inline Row zero() {
    Row r;
    for (int v = 0; v < whole; ++v) r.batch[v] = V(T(0));
    if constexpr (has_half) r.half = Half{};
    return r;
  }
  [[gnu::always_inline]] inline void store(T* p) const {
    for (int v = 0; v < whole; ++v) batch[v].store_unaligned(p + v * lanes);
    if constexpr (has_half) __builtin_memcpy(p + whole * lanes, &half, sizeof(Half));
  }
  [[gnu::always_inline]] inline void add(T weight, Row const& r) {
    V const w(weight);
    for (int v = 0; v < whole; ++v) batch[v] = xsimd::fma(w, r.batch[v], batch[v]);
    if constexpr (has_half) half += lower(w) * r.half;
  }
  [[gnu::always_inline]] static inline Half lower(V const& v) {
    Half h;
    __builtin_memcpy(&h, &v, sizeof h);
    return h;
  }
  /// The sum of the products with weights.
  [[gnu::always_inline]] inline T dot(T const* weights) const {
    Row const w = load(weights);
    T sum = 0;
    if constexpr (has_half) {
      Half const product = half * w.half;
      for (int i = 0; i < lanes / 2; ++i) sum += product[i];
    }
    if constexpr (whole > 0) {
      V total = batch[0] * w.batch[0];
      for (int v = 1; v < whole; ++v) total = xsimd::fma(batch[v], w.batch[v], total);
      sum += xsimd::hadd(total);
    }
    return sum;
  }
};

/// Calls body.template operator()<Numbers>() with the length of Row that a window of `points` needs.
template <class V, int Numbers = 0, class Body>
[[gnu::always_inline]] inline void with_row(int points, Body const& body) {
  constexpr int step = window_row_step(int(V::size)), next = Numbers + step;
  if constexpr (next >= max_window_points) {
    body.template operator()<next>();
  } else {
    if (points <= next) return body.template operator()<next>();
    with_row<V, next>(points, body);
  }
}

}  // namespace nearfar
