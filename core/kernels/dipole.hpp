// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/laplace.hpp"
#include "core/kernels/pairs/bare_pair.hpp"

namespace nearfar {

/// One sum of 1/r with dipoles (fmm.md, Sec. 4), with charges or without.
template <bool Charges>
struct DipoleSums {
  static constexpr std::string_view symbol = Charges ? "charge_dipole" : "dipole";
  static constexpr int rhs = 1, strengths = 3 + Charges;
  static constexpr int charges = Charges, dipoles = 3, weights = charges + dipoles;

  NEARFAR_FUNCTION static constexpr int dipole(int, int k) { return charges + k; }

  template <class V>
  NEARFAR_FUNCTION static void weigh(V const* f, V const*, V inverse_unit, V* weight) {
    if constexpr (Charges) weight[0] = f[0];
    for (int k = 0; k < 3; ++k) weight[charges + k] = f[charges + k] * inverse_unit;
  }
};

/// Point dipoles: phi = p.r / r^3.
struct Dipole {
  static constexpr Kernel kernel = Kernel::dipole;
  static constexpr Outputs outputs = Output::potential;
  static constexpr std::string_view name = "dipole", symbol = "dipole";
  static constexpr std::array strength_fields{Field{.columns = "p*"}};
  static constexpr std::array result_fields = Laplace::result_fields;
  static constexpr std::array layers{Layer{.decay = 2, .passed = 1.0 / 3}};
  static constexpr int strengths = numbers_of(strength_fields), results = numbers_of(result_fields);

  struct Bare {
    static constexpr int flops = 9;

    template <class V>
    NEARFAR_FUNCTION static void add(V inverse, V x, V y, V z, V const* p, V* phi) {
      phi[0] = phi[0] + inverse * inverse * inverse * (x * p[0] + y * p[1] + z * p[2]);
    }
  };

  static constexpr Base base = Base::laplace;
  static constexpr std::array near_layers{Radial::slope};
  struct Near {
    static constexpr int factor_count = 1, first_layer = 0, polynomials = 1, flops = 10;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      factor[0] = inverse * inverse * inverse - layer[0];
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* p, V* phi) {
      phi[0] = phi[0] + factor[0] * (x * p[0] + y * p[1] + z * p[2]);
    }
  };
  static constexpr Spreading spreading = Spreading::dipoles;
  static constexpr bool transverse = false;
  using Far = LaplaceFar;
  using Gather = Gathered<1, false>;

  using Sums = DipoleSums<false>;
  using Evaluation = LaplaceSums::Evaluation<0>;
};

/// Point dipoles, with the gradient of the potential, p / r^3 - 3 (p.r) r / r^5.
struct DipoleGradient : Dipole {
  static constexpr Outputs outputs = LaplaceGradient::outputs;
  static constexpr std::string_view symbol = "dipole_gradient";
  static constexpr std::array result_fields = LaplaceGradient::result_fields;
  static constexpr int results = numbers_of(result_fields);

  /// phi += b p.r, grad += b p - c (p.r) r
  template <class V>
  NEARFAR_FUNCTION static void add_dipole(V b, V c, V x, V y, V z, V const* p, V* phi) {
    V const along = x * p[0] + y * p[1] + z * p[2], radial = c * along;
    phi[0] = phi[0] + b * along;
    phi[1] = phi[1] + (b * p[0] - radial * x);
    phi[2] = phi[2] + (b * p[1] - radial * y);
    phi[3] = phi[3] + (b * p[2] - radial * z);
  }

  struct Bare {
    static constexpr int flops = 24;

    template <class V>
    NEARFAR_FUNCTION static void add(V inverse, V x, V y, V z, V const* p, V* phi) {
      V const inverse2 = inverse * inverse, cube = inverse2 * inverse;
      add_dipole(cube, V(3) * cube * inverse2, x, y, z, p, phi);
    }
  };

  static constexpr std::array near_layers{Radial::slope, Radial::curvature};
  struct Near {
    static constexpr int factor_count = 2, first_layer = 0, polynomials = 2, flops = 27;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      V const inverse2 = inverse * inverse;
      factor[0] = inverse2 * inverse - layer[0];
      factor[1] = (V(3) * factor[0] + layer[1]) * inverse2;
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* p, V* phi) {
      add_dipole(factor[0], factor[1], x, y, z, p, phi);
    }
  };
  using Gather = Gathered<1, true>;
  using Evaluation = LaplaceSums::Evaluation<1>;
};

/// Point dipoles, with gradient and Hessian, -3 (p r + r p + (p.r) I) / r^5 + 15 (p.r) r r / r^7.
struct DipoleHessian : DipoleGradient {
  static constexpr Outputs outputs = LaplaceHessian::outputs;
  static constexpr std::string_view symbol = "dipole_hessian";
  static constexpr std::array result_fields = LaplaceHessian::result_fields;
  static constexpr int results = numbers_of(result_fields);

  static constexpr std::array near_layers{Radial::slope, Radial::curvature, Radial::bend};
  /// With b and c as in the gradient and d = -c' r, the Hessian is -c (p r + r p + (p.r) I) + d (p.r) r r / r^2; no
  /// factor is a higher power of 1/r than c, since sources may be very close in single precision.
  struct Near {
    static constexpr int factor_count = 4, first_layer = 0, polynomials = 3, flops = 74;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      DipoleGradient::Near::factors(layer, inverse, factor);
      factor[2] = V(5) * factor[1] - layer[2];
      factor[3] = inverse * inverse;
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* p, V* phi) {
      V const b = factor[0], c = factor[1], along = x * p[0] + y * p[1] + z * p[2], radial = c * along;
      phi[0] = phi[0] + b * along;
      phi[1] = phi[1] + (b * p[0] - radial * x);
      phi[2] = phi[2] + (b * p[1] - radial * y);
      phi[3] = phi[3] + (b * p[2] - radial * z);
      // Half of what r makes of each row, so that one product serves r p + p r and r r.
      V const steep = V(0.5) * factor[2] * (along * factor[3]), hx = steep * x - c * p[0], hy = steep * y - c * p[1],
              hz = steep * z - c * p[2];
      phi[4] = phi[4] + ((hx * x + hx * x) - radial);
      phi[5] = phi[5] + (hx * y + hy * x);
      phi[6] = phi[6] + (hx * z + hz * x);
      phi[7] = phi[7] + ((hy * y + hy * y) - radial);
      phi[8] = phi[8] + (hy * z + hz * y);
      phi[9] = phi[9] + ((hz * z + hz * z) - radial);
    }
  };
  using Bare = BareBy<Near>;
  using Gather = GatheredHessian;
  using Evaluation = LaplaceSums::Evaluation<2>;
};

}  // namespace nearfar
