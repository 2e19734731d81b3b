// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/transform/gpu_transform.hpp"
#include "core/math/function.hpp"

namespace nearfar {

namespace detail {

/// cos and sin of 2 pi k / N, to the last digits of a double: by series, evaluated at compile time.
template <int N, class T>
struct SmallRoots {
  T cos[N] = {}, sin[N] = {};

  constexpr SmallRoots() {
    for (int k = 0; k < N; ++k) {
      // An eighth of a turn at most, where the series are short.
      int const eighths = 8 * k / N;
      int const quarter = (eighths + 1) / 2;
      double const x = 6.283185307179586476925286766559 * (4 * k - quarter * N) / (4 * N);
      double c = 0, s = 0, term = 1;
      for (int i = 0; i < 24; ++i) {
        (i % 2 == 0 ? c : s) += i % 4 < 2 ? term : -term;
        term *= x / (i + 1);
      }
      int const turn = quarter % 4;
      cos[k] = T(turn == 0 ? c : turn == 1 ? -s : turn == 2 ? -c : s);
      sin[k] = T(turn == 0 ? s : turn == 1 ? c : turn == 2 ? -s : -c);
    }
  }
};

template <class T>
NEARFAR_FUNCTION GpuComplex<T> sum(GpuComplex<T> a, GpuComplex<T> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
NEARFAR_FUNCTION GpuComplex<T> difference(GpuComplex<T> a, GpuComplex<T> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class T>
NEARFAR_FUNCTION GpuComplex<T> product(GpuComplex<T> a, GpuComplex<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// The first factor of a product of small primes: 4 before 2.
template <int N>
inline constexpr int first_factor = N % 4 == 0 && N > 4 ? 4
                                    : N % 2 == 0        ? 2
                                    : N % 3 == 0        ? 3
                                    : N % 5 == 0        ? 5
                                                        : 7;

}  // namespace detail

/// The discrete Fourier transform of R numbers in a thread's registers:
/// v_k = sum_j v_j exp(-2 pi i jk / R), R a product of 2, 3, 5 and 7.
template <int R, class T>
NEARFAR_FUNCTION void small_dft(GpuComplex<T>* v) {
  using Complex = GpuComplex<T>;
  if constexpr (R == 1) {
  } else if constexpr (R == 2) {
    Complex const a = v[0];
    v[0] = detail::sum(a, v[1]);
    v[1] = detail::difference(a, v[1]);
  } else if constexpr (R == 4) {
    Complex const a = detail::sum(v[0], v[2]), b = detail::difference(v[0], v[2]), c = detail::sum(v[1], v[3]),
                  d = detail::difference(v[1], v[3]);
    v[0] = detail::sum(a, c);
    v[1] = {b.re + d.im, b.im - d.re};
    v[2] = detail::difference(a, c);
    v[3] = {b.re - d.im, b.im + d.re};
  } else if constexpr (R == 3 || R == 5 || R == 7) {
    constexpr detail::SmallRoots<R, T> root;
    constexpr int half = R / 2;
    Complex even[half], odd[half], all = v[0];
    NEARFAR_DEVICE_UNROLL(3)
    for (int j = 0; j < half; ++j) {
      even[j] = detail::sum(v[j + 1], v[R - 1 - j]);
      odd[j] = detail::difference(v[j + 1], v[R - 1 - j]);
      all = detail::sum(all, even[j]);
    }
    Complex const first = v[0];
    v[0] = all;
    NEARFAR_DEVICE_UNROLL(3)
    for (int k = 1; k <= half; ++k) {
      Complex a = first, b{T(0), T(0)};
      NEARFAR_DEVICE_UNROLL(3)
      for (int j = 0; j < half; ++j) {
        T const c = root.cos[(j + 1) * k % R], s = root.sin[(j + 1) * k % R];
        a = {a.re + c * even[j].re, a.im + c * even[j].im};
        b = {b.re + s * odd[j].re, b.im + s * odd[j].im};
      }
      v[k] = {a.re + b.im, a.im - b.re};
      v[R - k] = {a.re - b.im, a.im + b.re};
    }
  } else {
    // As rows of A and columns of B.
    constexpr int A = detail::first_factor<R>, B = R / A;
    constexpr detail::SmallRoots<R, T> root;
    Complex row[B][A];
    NEARFAR_DEVICE_UNROLL(8)
    for (int b = 0; b < B; ++b) {
      NEARFAR_DEVICE_UNROLL(8)
      for (int a = 0; a < A; ++a) row[b][a] = v[a * B + b];
      small_dft<A>(row[b]);
    }
    NEARFAR_DEVICE_UNROLL(8)
    for (int a = 0; a < A; ++a) {
      Complex column[B];
      NEARFAR_DEVICE_UNROLL(8)
      for (int b = 0; b < B; ++b) {
        T const c = root.cos[a * b % R], s = root.sin[a * b % R];
        column[b] = a * b == 0 ? row[b][a] : detail::product(row[b][a], Complex{c, -s});
      }
      small_dft<B>(column);
      NEARFAR_DEVICE_UNROLL(8)
      for (int b = 0; b < B; ++b) v[a + A * b] = column[b];
    }
  }
}

}  // namespace nearfar
