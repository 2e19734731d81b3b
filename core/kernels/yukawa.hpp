// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/laplace.hpp"
#include "core/math/exponential.hpp"

namespace nearfar {

/// Screened charges: phi = e^(-lam r) q / r, where lam, one over a length, is the screening of the options. The
/// functions of the near part are given lam r, those of free space lam.
struct Yukawa : Laplace {
  static constexpr Kernel kernel = Kernel::yukawa;
  static constexpr std::string_view name = "yukawa", symbol = "yukawa";
  static constexpr bool screened = true;

  struct Bare {
    static constexpr int flops = 20;

    template <class V>
    NEARFAR_FUNCTION static void add(V lam, V inverse, V x, V y, V z, V const* q, V* phi) {
      V const lam_r = lam * ((x * x + y * y + z * z) * inverse);
      phi[0] = phi[0] + exponential(-lam_r) * inverse * q[0];
    }
  };

  struct Near : Laplace::Near {
    static constexpr int flops = 20;
    static constexpr bool screened = true;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V lam_r, V* factor) {
      factor[0] = exponential(-lam_r) * inverse - layer[0];
    }
  };

  using Sums = NoSums;
};

/// The same with the gradient of the potential, -e^(-lam r) (1 + lam r) q r / r^3.
struct YukawaGradient : LaplaceGradient {
  static constexpr Kernel kernel = Yukawa::kernel;
  static constexpr std::string_view name = Yukawa::name, symbol = "yukawa_gradient";
  static constexpr bool screened = true;

  struct Bare {
    static constexpr int flops = 30;

    template <class V>
    NEARFAR_FUNCTION static void add(V lam, V inverse, V x, V y, V z, V const* q, V* phi) {
      V const lam_r = lam * ((x * x + y * y + z * z) * inverse), potential = exponential(-lam_r) * inverse;
      V const factor[2] = {potential, potential * (V(1) + lam_r) * inverse * inverse};
      LaplaceGradient::Near::add(factor, x, y, z, q, phi);
    }
  };

  struct Near : LaplaceGradient::Near {
    static constexpr int flops = 30;
    static constexpr bool screened = true;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V lam_r, V* factor) {
      V const potential = exponential(-lam_r) * inverse;
      factor[0] = potential - layer[0];
      factor[1] = potential * (V(1) + lam_r) * inverse * inverse - layer[1];
    }
  };

  using Sums = NoSums;
};

/// The same with the Hessian, with x = lam r: e^(-x) [(3 + 3 x + x^2) r r / r^2 - (1 + x) I] q / r^3, whose trace is
/// lam^2 phi.
struct YukawaHessian : LaplaceHessian {
  static constexpr Kernel kernel = Yukawa::kernel;
  static constexpr std::string_view name = Yukawa::name, symbol = "yukawa_hessian";
  static constexpr bool screened = true;

  struct Near : LaplaceHessian::Near {
    static constexpr int flops = LaplaceHessian::Near::flops + 24;
    static constexpr bool screened = true;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V lam_r, V* factor) {
      V const potential = exponential(-lam_r) * inverse, inverse2 = inverse * inverse;
      factor[0] = potential - layer[0];
      factor[1] = potential * (V(1) + lam_r) * inverse2 - layer[1];
      factor[2] = (V(3) * factor[1] + (potential * (lam_r * lam_r) * inverse2 + layer[2])) * inverse2;
    }
  };

  struct Bare {
    static constexpr int flops = Near::flops + 9;

    template <class V>
    NEARFAR_FUNCTION static void add(V lam, V inverse, V x, V y, V z, V const* q, V* phi) {
      V const nothing[3] = {V(0), V(0), V(0)};
      V factor[3];
      Near::factors(nothing, inverse, lam * ((x * x + y * y + z * z) * inverse), factor);
      Near::add(factor, x, y, z, q, phi);
    }
  };

  using Sums = NoSums;
};

}  // namespace nearfar
