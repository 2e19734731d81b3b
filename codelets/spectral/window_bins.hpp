// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/window/window_weights.hpp"

namespace nearfar {

/// One bin of a window at `Count` places, and its slopes and second slopes if wanted: a GPU thread
/// computes a bin, where a core computes a whole window (core/ewald/window/window_weights.hpp).
template <int Count, int Slopes, class T>
NEARFAR_FUNCTION void window_bins(WindowTable<T> const& w, int bin, T const* s, T* value, [[maybe_unused]] T* slope,
                                  [[maybe_unused]] T* second = nullptr) {
  if (w.gaussian.decay > 0) {
    double const decay = w.gaussian.decay, j = bin - 0.5 * (w.points - 1);
    for (int i = 0; i < Count; ++i) {
      T const factor = w.gaussian.centre[bin] * T(exp(-decay * double(s[i]) * (0.25 * double(s[i]) + j)));
      value[i] = factor - w.gaussian.step[bin];
      if constexpr (Slopes > 0) slope[i] = factor * (w.gaussian.rise[bin] - T(decay) * s[i]);
    }
    return;
  }
  auto const polynomials = [&](T const(*rows)[window_row], T* out) {
    for (int i = 0; i < Count; ++i) out[i] = rows[w.degree][bin];
    for (int d = w.degree - 1; d >= 0; --d) {
      T const coefficient = rows[d][bin];
      for (int i = 0; i < Count; ++i) out[i] = out[i] * s[i] + coefficient;
    }
  };
  polynomials(w.value, value);
  if constexpr (Slopes > 0) polynomials(w.slope, slope);
  if constexpr (Slopes > 1) polynomials(w.second, second);
}

}  // namespace nearfar
