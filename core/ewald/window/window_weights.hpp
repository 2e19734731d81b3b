// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/window/window.hpp"

#include <cmath>

namespace nearfar {

/// Value i of a table of polynomials at s.
template <class T>
NEARFAR_FUNCTION T window_at(T const (*rows)[window_row], int degree, int i, T s) {
  T sum = rows[degree][i];
  for (int d = degree - 1; d >= 0; --d) sum = sum * s + rows[d][i];
  return sum;
}

/// The factors in e^{-alpha (j + s/2)^2} = e^{-alpha j^2} e^{-alpha s^2 / 4} (e^{-alpha s})^j that depend on
/// the point, for all P grid points of a Gaussian window; j as in GaussianTable. Computed from the middle
/// outwards: the window is largest in the middle, and errors of the factors accumulate where it is small.
template <class T>
NEARFAR_FUNCTION void gaussian_factors(WindowTable<T> const& w, T s, T* factor) {
  double const half = 0.5 * double(s), root = exp(-w.gaussian.decay * half);
  T const up = T(root * root), down = T(1 / (root * root));
  int const middle = w.points / 2;  // j is 0, or 1/2
  factor[middle] = T(exp(-w.gaussian.decay * half * half) * (w.points % 2 == 0 ? root : 1));
  for (int i = middle + 1; i < w.points; ++i) factor[i] = factor[i - 1] * up;
  for (int i = middle - 1; i >= 0; --i) factor[i] = factor[i + 1] * down;
}

/// The P values of a window at s: the weights of a point along one direction.
template <class T>
NEARFAR_FUNCTION void window_values(WindowTable<T> const& w, T s, T* value) {
  if (w.gaussian.decay > 0) {
    gaussian_factors(w, s, value);
    for (int i = 0; i < w.points; ++i) value[i] = w.gaussian.centre[i] * value[i] - w.gaussian.step[i];
  } else {
    for (int i = 0; i < w.points; ++i) value[i] = window_at(w.value, w.degree, i, s);
  }
}

/// The P slopes of a window that is used with slopes, with respect to the grid coordinate in units of h.
template <class T>
NEARFAR_FUNCTION void window_slopes(WindowTable<T> const& w, T s, T* slope) {
  if (w.gaussian.decay > 0) {
    gaussian_factors(w, s, slope);
    for (int i = 0; i < w.points; ++i)
      slope[i] *= w.gaussian.centre[i] * (w.gaussian.rise[i] - T(w.gaussian.decay) * s);
  } else {
    for (int i = 0; i < w.points; ++i) slope[i] = window_at(w.slope, w.degree, i, s);
  }
}

/// The P second slopes of a window that is used with them, likewise.
template <class T>
NEARFAR_FUNCTION void window_seconds(WindowTable<T> const& w, T s, T* second) {
  for (int i = 0; i < w.points; ++i) second[i] = window_at(w.second, w.degree, i, s);
}

}  // namespace nearfar
