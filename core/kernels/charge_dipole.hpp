// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/dipole.hpp"
#include "core/kernels/pairs/near_of_both.hpp"

namespace nearfar {

/// Charges that are also dipoles; strengths are q, p.
struct ChargeDipole : Dipole {
  static constexpr Kernel kernel = Kernel::charge_dipole;
  static constexpr std::string_view name = "charge-dipole", symbol = "charge_dipole";
  static constexpr std::array strength_fields{Field{.columns = "q"}, Field{.columns = "p*"}};
  static constexpr std::array layers{Layer{}, Layer{.first = 1, .decay = 2, .passed = 1.0 / 3}};
  static constexpr int strengths = numbers_of(strength_fields);

  struct Bare {
    static constexpr int flops = 11;

    template <class V>
    NEARFAR_FUNCTION static void add(V inverse, V x, V y, V z, V const* q, V* phi) {
      V const along = x * q[1] + y * q[2] + z * q[3];
      phi[0] = phi[0] + inverse * (q[0] + inverse * inverse * along);
    }
  };

  static constexpr std::array near_layers{Radial::potential, Radial::slope};
  struct Near {
    static constexpr int factor_count = 2, first_layer = 0, polynomials = 2, flops = 13;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      LaplaceGradient::Near::factors(layer, inverse, factor);
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* q, V* phi) {
      phi[0] = phi[0] + (factor[0] * q[0] + factor[1] * (x * q[1] + y * q[2] + z * q[3]));
    }
  };

  using Sums = DipoleSums<true>;
};

/// The same with the gradient of the potential.
struct ChargeDipoleGradient : ChargeDipole {
  static constexpr Outputs outputs = LaplaceGradient::outputs;
  static constexpr std::string_view symbol = "charge_dipole_gradient";
  static constexpr std::array result_fields = LaplaceGradient::result_fields;
  static constexpr int results = numbers_of(result_fields);

  struct Bare {
    static constexpr int flops = LaplaceGradient::Bare::flops + DipoleGradient::Bare::flops;

    template <class V>
    NEARFAR_FUNCTION static void add(V inverse, V x, V y, V z, V const* q, V* phi) {
      LaplaceGradient::Bare::add(inverse, x, y, z, q, phi);
      DipoleGradient::Bare::add(inverse, x, y, z, q + 1, phi);
    }
  };

  static constexpr std::array near_layers{Radial::potential, Radial::slope, Radial::curvature};
  using Near = NearOfBoth<LaplaceGradient, DipoleGradient>;
  using Gather = Gathered<1, true>;
  using Evaluation = LaplaceSums::Evaluation<1>;
};

/// The same with gradient and Hessian.
struct ChargeDipoleHessian : ChargeDipoleGradient {
  static constexpr Outputs outputs = LaplaceHessian::outputs;
  static constexpr std::string_view symbol = "charge_dipole_hessian";
  static constexpr std::array result_fields = LaplaceHessian::result_fields;
  static constexpr int results = numbers_of(result_fields);

  static constexpr std::array near_layers{Radial::potential, Radial::slope, Radial::curvature, Radial::bend};
  using Near = NearOfBoth<LaplaceHessian, DipoleHessian>;
  using Bare = BareBy<Near>;
  using Gather = GatheredHessian;
  using Evaluation = LaplaceSums::Evaluation<2>;
};

}  // namespace nearfar
