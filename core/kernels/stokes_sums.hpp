// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/flow_results.hpp"
#include "core/kernels/split.hpp"
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
};

/// The same four sums of force dipoles D: dipoles D_j. (its rows), and a charge tr D with the dipole y D for Psi.
struct DoubletSums {
  static constexpr std::string_view symbol = "doublet";
  static constexpr int rhs = 4, strengths = 9;
  static constexpr int charges = 4, dipoles = 12, weights = charges + dipoles;

  NEARFAR_FUNCTION static constexpr int dipole(int r, int k) { return charges + 3 * r + k; }

  template <class V>
  NEARFAR_FUNCTION static void weigh(V const* d, V const* y, V inverse_unit, V* weight) {
    for (int j = 0; j < 3; ++j) weight[j] = V(0);
    weight[3] = d[0] + d[4] + d[8];
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) weight[dipole(j, k)] = d[3 * j + k] * inverse_unit;
      weight[dipole(3, k)] = (y[0] * d[k] + y[1] * d[3 + k] + y[2] * d[6 + k]) * inverse_unit;
    }
  }
};

/// Velocity and pressure at a target, from SumSlopes of the four sums; with `Slopes` = 2, the velocity gradient, too.
/// Psi itself is not needed.
template <int Slopes>
struct FlowEvaluation {
  static constexpr std::string_view symbol = Slopes == 1 ? "flow" : "flow_gradient";
  static constexpr int rhs = 4, slopes = Slopes, width = SumSlopes::up_to(Slopes), values = 4 * width - 1,
                       results = Slopes == 1 ? gradient_at : gradient_at + 9;

  /// Index of number d of right-hand side r among the values; -1: not needed.
  NEARFAR_FUNCTION static constexpr int value(int r, int d) {
    if (r < 3) return width * r + d;
    return d == 0 ? -1 : 3 * width + d - 1;
  }

  /// u_j = Phi_j - sum over l of x_l d_j Phi_l + d_j Psi, p = -2 sum over l of d_l Phi_l,
  /// d_m u_j = d_m Phi_j - d_j Phi_m - sum over l of x_l d_jm Phi_l + d_jm Psi.
  template <class V>
  NEARFAR_FUNCTION static void combine(V const* sum, V const* x, V inverse_unit, V* out) {
    V const slope_scale = inverse_unit * inverse_unit;
    for (int j = 0; j < 3; ++j)
      out[j] =
          inverse_unit * sum[value(j, 0)] + slope_scale * (sum[value(3, 1 + j)] - x[0] * sum[value(0, 1 + j)] -
                                                           x[1] * sum[value(1, 1 + j)] - x[2] * sum[value(2, 1 + j)]);
    out[pressure_at] = V(-2) * slope_scale * (sum[value(0, 1)] + sum[value(1, 2)] + sum[value(2, 3)]);
    if constexpr (Slopes > 1)
      for (int j = 0; j < 3; ++j)
        for (int m = 0; m < 3; ++m) {
          V bend = SumSlopes::second(sum + value(3, 4), j, m);
          for (int l = 0; l < 3; ++l) bend = bend - x[l] * SumSlopes::second(sum + value(l, 4), j, m);
          out[gradient_at + 3 * j + m] =
              slope_scale * (sum[value(j, 1 + m)] - sum[value(m, 1 + j)] + inverse_unit * bend);
        }
  }
};

}  // namespace nearfar
