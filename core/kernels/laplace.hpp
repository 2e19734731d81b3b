// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/field.hpp"
#include "core/kernels/split.hpp"
#include "core/math/function.hpp"

namespace nearfar {

/// A charge on the grid: phi = m q.
struct LaplaceFar {
  static constexpr char const* name = "laplace";
  static constexpr int in = 1, out = 1;
  static constexpr TableParts table{.scalar = true};

  template <class T, class Green>
  NEARFAR_FUNCTION static void apply(Green const& green, T* re, T* im) {
    re[0] *= green.scalar();
    im[0] *= green.scalar();
  }
};

/// One sum of 1/r, with the charges themselves (fmm.md, Sec. 4).
struct LaplaceSums {
  static constexpr std::string_view symbol = "laplace";
  static constexpr int rhs = 1, strengths = 1;
  static constexpr int charges = 1, dipoles = 0, weights = 1;

  template <class V>
  NEARFAR_FUNCTION static void weigh(V const* q, V const*, V, V* weight) {
    weight[0] = q[0];
  }

  /// Potential, gradient and Hessian at a target, up to derivative `Slopes`, from SumSlopes of the sum.
  template <int Slopes>
  struct Evaluation {
    static constexpr std::string_view symbol = Slopes == 0 ? "potential" : Slopes == 1 ? "gradient" : "hessian";
    static constexpr int rhs = 1, slopes = Slopes, values = SumSlopes::up_to(Slopes), results = values + Slopes / 2;

    NEARFAR_FUNCTION static constexpr int value(int, int d) { return d; }

    template <class V>
    NEARFAR_FUNCTION static void combine(V const* sum, V const*, V inverse_unit, V* out) {
      out[0] = inverse_unit * sum[0];
      V const slope_scale = inverse_unit * inverse_unit;
      for (int k = 1; k < values && k < 4; ++k) out[k] = slope_scale * sum[k];
      if constexpr (Slopes > 1)
        for (int j = 0, k = 4; j < 3; ++j)
          for (int m = j; m < 3; ++m, ++k) out[k] = slope_scale * inverse_unit * SumSlopes::second(sum + 4, j, m);
    }
  };
};

/// Charges: phi = q / r.
struct Laplace {
  static constexpr Kernel kernel = Kernel::laplace;
  static constexpr Outputs outputs = Output::potential;
  static constexpr std::string_view name = "laplace", symbol = "laplace";
  static constexpr std::array strength_fields{Field{.columns = "q"}};
  static constexpr std::array result_fields{Field{.columns = "phi", .output = Output::potential}};
  static constexpr std::array layers{Layer{}};
  static constexpr int strengths = numbers_of(strength_fields), results = numbers_of(result_fields);

  struct Bare {
    static constexpr int flops = 2;

    template <class V>
    NEARFAR_FUNCTION static void add(V inverse, V, V, V, V const* q, V* phi) {
      phi[0] = phi[0] + inverse * q[0];
    }
  };

  static constexpr Base base = Base::laplace;
  static constexpr std::array near_layers{Radial::potential, Radial::slope};
  struct Near {
    static constexpr int factor_count = 1, first_layer = 0, polynomials = 1, flops = 3;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      factor[0] = inverse - layer[0];
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V, V, V, V const* q, V* phi) {
      phi[0] = phi[0] + factor[0] * q[0];
    }
  };
  static constexpr Spreading spreading = Spreading::plain;
  static constexpr bool transverse = false;
  using Far = LaplaceFar;
  using Gather = Gathered<1, 0>;

  using Sums = LaplaceSums;
  using Evaluation = Sums::Evaluation<0>;
};

/// Charges, with the gradient of the potential, -q r / r^3.
struct LaplaceGradient : Laplace {
  static constexpr Outputs outputs = Output::potential | Output::gradient;
  static constexpr std::string_view symbol = "laplace_gradient";
  static constexpr std::array result_fields{Field{.columns = "phi", .output = Output::potential},
                                            Field{.columns = "dphid*", .output = Output::gradient, .derivative = 1}};
  static constexpr int results = numbers_of(result_fields);

  struct Bare {
    static constexpr int flops = 10;

    template <class V>
    NEARFAR_FUNCTION static void add(V inverse, V x, V y, V z, V const* q, V* phi) {
      V const potential = inverse * q[0], radial = potential * (inverse * inverse);
      phi[0] = phi[0] + potential;
      phi[1] = phi[1] - radial * x;
      phi[2] = phi[2] - radial * y;
      phi[3] = phi[3] - radial * z;
    }
  };

  struct Near {
    static constexpr int factor_count = 2, first_layer = 0, polynomials = 2, flops = 11;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      factor[0] = inverse - layer[0];
      factor[1] = inverse * inverse * inverse - layer[1];
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* q, V* phi) {
      V const radial = factor[1] * q[0];
      phi[0] = phi[0] + factor[0] * q[0];
      phi[1] = phi[1] - radial * x;
      phi[2] = phi[2] - radial * y;
      phi[3] = phi[3] - radial * z;
    }
  };
  using Gather = Gathered<1, 1>;
  using Evaluation = Sums::Evaluation<1>;
};

/// Charges, with gradient and Hessian of the potential, (3 r r / r^5 - I / r^3) q.
struct LaplaceHessian : LaplaceGradient {
  static constexpr Outputs outputs = LaplaceGradient::outputs | Output::hessian;
  static constexpr std::string_view symbol = "laplace_hessian";
  static constexpr std::array result_fields{
      LaplaceGradient::result_fields[0], LaplaceGradient::result_fields[1],
      Field{.columns = "d2phid**", .output = Output::hessian, .derivative = 2, .symmetric = true}};
  static constexpr int results = numbers_of(result_fields);

  struct Bare {
    static constexpr int flops = 36;

    template <class V>
    NEARFAR_FUNCTION static void add(V inverse, V x, V y, V z, V const* q, V* phi) {
      V const inverse2 = inverse * inverse, cube = inverse2 * inverse;
      V const factor[3] = {inverse, cube, V(3) * cube * inverse2};
      Near::add(factor, x, y, z, q, phi);
    }
  };

  static constexpr std::array near_layers{Radial::potential, Radial::slope, Radial::curvature};
  struct Near {
    static constexpr int factor_count = 3, first_layer = 0, polynomials = 3, flops = 38;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      LaplaceGradient::Near::factors(layer, inverse, factor);
      factor[2] = (V(3) * factor[1] + layer[2]) * (inverse * inverse);
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* q, V* phi) {
      V const radial = factor[1] * q[0], along = factor[2] * q[0], ax = along * x, ay = along * y;
      phi[0] = phi[0] + factor[0] * q[0];
      phi[1] = phi[1] - radial * x;
      phi[2] = phi[2] - radial * y;
      phi[3] = phi[3] - radial * z;
      phi[4] = phi[4] + (ax * x - radial);
      phi[5] = phi[5] + ax * y;
      phi[6] = phi[6] + ax * z;
      phi[7] = phi[7] + (ay * y - radial);
      phi[8] = phi[8] + ay * z;
      phi[9] = phi[9] + (along * z * z - radial);
    }
  };
  using Gather = GatheredHessian;
  using Evaluation = Sums::Evaluation<2>;
};

}  // namespace nearfar
