// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/packed.hpp"

#include <complex>

namespace nearfar {

/// The coefficient (n, m) of a packed expansion for any m: X_n^{-m} = (-1)^m conj(X_n^m), and 0 outside the triangle.
template <class T>
std::complex<T> coefficient(T const* packed, int n, int m) {
  int const k = m < 0 ? -m : m;
  if (n < 0 || k > n) return {};
  if (k == 0) return {packed[n * n], T(0)};
  std::complex<T> const x{packed[real_index(n, k)], packed[imag_index(n, k)]};
  if (m > 0) return x;
  return k % 2 == 0 ? std::conj(x) : -std::conj(x);
}

/// Stores the coefficient (n, m), m >= 0.
template <class T>
void set_coefficient(T* packed, int n, int m, std::complex<T> value) {
  packed[real_index(n, m)] = value.real();
  if (m > 0) packed[imag_index(n, m)] = value.imag();
}

}  // namespace nearfar
