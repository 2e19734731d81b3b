// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/split/near_kernel.hpp"

namespace nearfar {

/// The layers of a pair as the threads of a GPU share them (near_factors takes it in place
/// of a NearKernel): the coefficients of neighbouring powers of all layers are adjacent.
template <class Pair, class T>
struct alignas(16) NearLayers {
  NearCoefficients<T> number[(max_polynomial_degree + 1) / 2][Pair::polynomials];
  T scale, cutoff_squared, screening;
  int degree;

  /// Copies the coefficients that are thread t's part.
  NEARFAR_FUNCTION void take(NearKernel<T> const& near, int t, int threads) {
    for (int l = 0; l < Pair::polynomials; ++l)
      for (int h = t; 2 * h < near.degree; h += threads) number[h][l] = near.coefficients(Pair::first_layer + l, h);
    scale = near.scale;
    screening = near.screening;
    cutoff_squared = near.cutoff_squared;
    degree = near.degree;
  }
  NEARFAR_FUNCTION NearCoefficients<T> coefficients(int layer, int h) const {
    return number[h][layer - Pair::first_layer];
  }
};

}  // namespace nearfar
