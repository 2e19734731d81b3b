// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/near_kernel.hpp"

namespace nearfar {

/// The layers that a pair needs, as threads of a GPU share them (near_factors reads it in place of a NearKernel): the
/// coefficients of neighbouring powers are together, so that they are read at once.
template <class Pair, class T>
struct alignas(16) NearLayers {
  T number[(max_polynomial_degree + 1) / 2][Pair::polynomials][2];
  T scale, cutoff_squared;
  int degree;

  /// What thread number t of all those takes.
  NEARFAR_FUNCTION void take(NearKernel<T> const& near, int t, int threads) {
    for (int l = 0; l < Pair::polynomials; ++l)
      for (int power = t; power <= near.degree; power += threads)
        number[power / 2][l][power % 2] = near.layer(Pair::first_layer + l).coefficient[power];
    scale = near.scale;
    cutoff_squared = near.cutoff_squared;
    degree = near.degree;
  }
  NEARFAR_FUNCTION T coefficient(int layer, int power) const {
    return number[unsigned(power) / 2][layer - Pair::first_layer][unsigned(power) % 2];
  }
};

}  // namespace nearfar
