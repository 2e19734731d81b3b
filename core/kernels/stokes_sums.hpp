// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <string_view>

namespace nearfar {

/// The four sums of 1/r that make up a Stokes kernel (fmm.md, Sec. 4): with charges f_j and f.y (single layer), and
/// dipoles -(n_j q + q_j n) and -((q.y) n + (n.y) q) (double layer). y and x are relative to one common origin.
template <bool SingleLayer, bool DoubleLayer>
struct StokesSums {
  static constexpr std::string_view symbol = SingleLayer && DoubleLayer ? "stokes"
                                             : SingleLayer              ? "stokeslet"
                                                                        : "stresslet";
  static constexpr int rhs = 4, strengths = 3 * SingleLayer + 6 * DoubleLayer;
  static constexpr int charges = SingleLayer ? 4 : 0;  ///< the charge of right-hand side r is number r
  static constexpr int dipoles = DoubleLayer ? 9 : 0;
  static constexpr int weights = charges + dipoles;

  /// Index of the weight for component k of the dipoles of right-hand side r: a symmetric matrix, then a vector.
  NEARFAR_FUNCTION static constexpr int dipole(int r, int k) {
    if (r == 3) return charges + 6 + k;
    int const low = r < k ? r : k, high = r < k ? k : r;
    return charges + low * (5 - low) / 2 + high;
  }

  /// Weights of one source; those of dipoles are divided by the unit of length.
  template <class V>
  NEARFAR_FUNCTION static void weigh(V const* f, V const* y, V inverse_unit, V* weight) {
    if constexpr (SingleLayer) {
      for (int j = 0; j < 3; ++j) weight[j] = f[j];
      weight[3] = f[0] * y[0] + f[1] * y[1] + f[2] * y[2];
    }
    if constexpr (DoubleLayer) {
      V const *const q = f + (SingleLayer ? 3 : 0), *const n = q + 3;
      V p[3];
      for (int j = 0; j < 3; ++j) p[j] = -q[j] * inverse_unit;
      for (int j = 0; j < 3; ++j)
        for (int k = j; k < 3; ++k) weight[dipole(j, k)] = p[j] * n[k] + n[j] * p[k];
      V const py = p[0] * y[0] + p[1] * y[1] + p[2] * y[2], ny = n[0] * y[0] + n[1] * y[1] + n[2] * y[2];
      for (int k = 0; k < 3; ++k) weight[dipole(3, k)] = py * n[k] + ny * p[k];
    }
  }

  /// Numbers per target of which velocity and pressure are formed: three potentials, and the slopes of all four sums.
  template <bool Pressure>
  struct Evaluation {
    static constexpr int values = 15;
    static constexpr bool slopes = true;

    /// Index of the potential (k = -1) or of derivative k of right-hand side r among them; -1: not needed.
    NEARFAR_FUNCTION static constexpr int value(int r, int k) {
      if (k < 0) return r < 3 ? r : -1;
      return 3 + 3 * r + k;
    }

    /// u_i = Phi_i - sum over j of x_j d_i Phi_j + d_i Psi, p = -2 sum over j of d_j Phi_j.
    template <class V>
    NEARFAR_FUNCTION static void combine(V const* sum, V const* x, V potential_scale, V gradient_scale, V* out) {
      for (int i = 0; i < 3; ++i)
        out[i] = potential_scale * sum[i] + gradient_scale * (sum[value(3, i)] - x[0] * sum[value(0, i)] -
                                                              x[1] * sum[value(1, i)] - x[2] * sum[value(2, i)]);
      if constexpr (Pressure)
        out[3] = V(-2) * gradient_scale * (sum[value(0, 0)] + sum[value(1, 1)] + sum[value(2, 2)]);
    }
  };
};

}  // namespace nearfar
