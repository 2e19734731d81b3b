// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/stokeslet.hpp"

namespace nearfar {

/// The flow of a force dipole D, f a^T of a force f at y + a / 2 and -f at y - a / 2 in the limit of small a:
/// u = [D r - D^T r - (tr D) r] / r^3 + 3 (r.D r) r / r^5. Its antisymmetric part is a torque, its symmetric part a
/// double layer without sources of fluid.
struct Doublet {
  static constexpr Kernel kernel = Kernel::doublet;
  static constexpr Outputs outputs = Output::velocity;
  static constexpr std::string_view name = "doublet", symbol = "doublet";
  static constexpr std::array strength_fields{Field{.columns = "d**"}};
  static constexpr std::array result_fields = Stokeslet::result_fields;
  static constexpr std::array layers{Layer{.decay = 2, .passed = 2.0 / 9, .pressed = 4.0 / 9}};
  static constexpr int strengths = numbers_of(strength_fields), results = numbers_of(result_fields);

  static constexpr Base base = Base::hasimoto;
  static constexpr std::array near_layers{Radial::stokes, Radial::slope, Radial::curvature};
  struct Near {
    static constexpr int factor_count = 3, first_layer = 1, polynomials = 2, flops = 63;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      flow_pairs::slope_factors(layer[0], layer[1], inverse, factor);
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* dipole, V* u) {
      V const r[3] = {x, y, z};
      flow_pairs::add_flow_of_dipole(factor, r, dipole, u);
    }
  };
  using Bare = BareBy<Near>;
  static constexpr Spreading spreading = Spreading::force_dipoles;
  static constexpr bool transverse = false;
  using Far = StokesletFar;
  using Gather = Gathered<3, 0>;

  using Sums = DoubletSums;
  using Evaluation = FlowEvaluation<1>;
};

/// With the pressure, p = -2 (tr D) / r^3 + 6 (r.D r) / r^5.
struct DoubletPressure : Doublet {
  static constexpr Outputs outputs = FlowResults::outputs_with_pressure;
  static constexpr std::string_view symbol = "doublet_pressure";
  static constexpr std::array result_fields = FlowResults::with_pressure;
  static constexpr int results = numbers_of(result_fields);

  struct Near : Doublet::Near {
    static constexpr int flops = Doublet::Near::flops + 2;

    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* dipole, V* u) {
      V const r[3] = {x, y, z};
      V const radial = flow_pairs::add_flow_of_dipole(factor, r, dipole, u);
      u[pressure_at] = u[pressure_at] + (radial + radial);
    }
  };
  using Bare = BareBy<Near>;
  using Far = PressureFar<StokesletFar>;
  using Gather = Gathered<4, 0>;
};

/// With pressure and velocity gradient.
struct DoubletGradient : DoubletPressure {
  static constexpr Outputs outputs = FlowResults::all_outputs;
  static constexpr std::string_view symbol = "doublet_gradient";
  static constexpr std::array result_fields = FlowResults::all;
  static constexpr int results = numbers_of(result_fields);

  static constexpr std::array near_layers{Radial::stokes, Radial::slope, Radial::curvature, Radial::bend};
  struct Near {
    static constexpr int factor_count = 5, first_layer = 1, polynomials = 3, flops = 170;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      flow_pairs::bend_factors(layer[0], layer[1], layer[2], inverse, factor);
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* dipole, V* u) {
      V const r[3] = {x, y, z};
      flow_pairs::add_force_dipole(factor, r, dipole, u);
    }
  };
  using Bare = BareBy<Near>;
  using Gather = Gathered<4, 3>;
  using Evaluation = FlowEvaluation<2>;
};

}  // namespace nearfar
