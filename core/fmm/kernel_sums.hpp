// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/kernel_layers.hpp"
#include "core/math/function.hpp"

namespace nearfar {

/// The sums of 1/r that make up a kernel (fmm.md, Sec. 4): one for Laplace; four for the
/// Stokes family, with charges f_j and f.y (single layer) and dipoles -(n_j q + q_j n)
/// and -((q.y) n + (n.y) q) (double layer). y and x are relative to one common origin.
constexpr int fmm_right_hand_sides(Kernel kernel) noexcept { return kernel == Kernel::laplace ? 1 : 4; }

template <Kernel K>
struct KernelSums {
  static constexpr bool laplace = K == Kernel::laplace;
  static constexpr bool single_layer = has_single_layer(K), double_layer = has_double_layer(K);
  static constexpr int rhs = laplace ? 1 : 4;
  static constexpr int charges = laplace ? 1 : single_layer ? 4 : 0;  ///< the charge of right-hand side r is number r
  static constexpr int dipoles = double_layer ? 9 : 0;
  static constexpr int weights = charges + dipoles;
  static constexpr int strengths = laplace ? 1 : 3 * single_layer + 6 * double_layer;

  /// Index of the weight for component k of the dipoles of right-hand side r: a symmetric matrix, then a vector.
  NEARFAR_FUNCTION static constexpr int dipole(int r, int k) {
    if (r == 3) return charges + 6 + k;
    int const low = r < k ? r : k, high = r < k ? k : r;
    return charges + low * (5 - low) / 2 + high;
  }

  /// Weights of one source; those of dipoles are divided by the unit of length.
  template <class V>
  NEARFAR_FUNCTION static void weigh(V const* f, V const* y, V inverse_unit, V* weight) {
    if constexpr (laplace) {
      weight[0] = f[0];
      return;
    }
    if constexpr (single_layer) {
      for (int j = 0; j < 3; ++j) weight[j] = f[j];
      weight[3] = f[0] * y[0] + f[1] * y[1] + f[2] * y[2];
    }
    if constexpr (double_layer) {
      V const *const q = f + (single_layer ? 3 : 0), *const n = q + 3;
      V p[3];
      for (int j = 0; j < 3; ++j) p[j] = -q[j] * inverse_unit;
      for (int j = 0; j < 3; ++j)
        for (int k = j; k < 3; ++k) weight[dipole(j, k)] = p[j] * n[k] + n[j] * p[k];
      V const py = p[0] * y[0] + p[1] * y[1] + p[2] * y[2], ny = n[0] * y[0] + n[1] * y[1] + n[2] * y[2];
      for (int k = 0; k < 3; ++k) weight[dipole(3, k)] = py * n[k] + ny * p[k];
    }
  }

  /// Numbers per target from which the result is formed: potentials and gradients of the sums.
  static constexpr int values(bool gradient) { return laplace ? (gradient ? 4 : 1) : 15; }

  /// Index of the potential (k = -1) or of derivative k of right-hand side r among them; -1: not needed.
  NEARFAR_FUNCTION static constexpr int value(int r, int k) {
    if (laplace) return k + 1;
    if (k < 0) return r < 3 ? r : -1;
    return 3 + 3 * r + k;
  }

  /// The result: phi and gradient, or u_i = Phi_i - sum over j of x_j d_i Phi_j + d_i Psi.
  template <class V>
  NEARFAR_FUNCTION static void combine(V const* sum, V const* x, V potential_scale, V gradient_scale, bool gradient,
                                       V* out) {
    if constexpr (laplace) {
      out[0] = potential_scale * sum[0];
      if (gradient)
        for (int k = 1; k < 4; ++k) out[k] = gradient_scale * sum[k];
    } else {
      for (int i = 0; i < 3; ++i)
        out[i] = potential_scale * sum[i] + gradient_scale * (sum[value(3, i)] - x[0] * sum[value(0, i)] -
                                                              x[1] * sum[value(1, i)] - x[2] * sum[value(2, i)]);
    }
  }
};

}  // namespace nearfar
