// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/field.hpp"
#include "core/kernels/far_pressure.hpp"
#include "core/kernels/pairs/bare_pair.hpp"
#include "core/kernels/pairs/flow_pairs.hpp"
#include "core/kernels/split.hpp"
#include "core/kernels/stokes_sums.hpp"

namespace nearfar {

/// Forces on the grid: u = m (I - kk / k^2) f.
struct StokesletFar {
  static constexpr char const *name = "stokeslet", *name_with_pressure = "stokeslet_pressure";
  static constexpr int in = 3, out = 3;
  static constexpr TableParts table{.tensor = true};

  template <class T, class Green>
  NEARFAR_FUNCTION static void apply(Green const& green, T* re, T* im) {
    green.project(re);
    green.project(im);
  }
};

/// Forces in Stokes flow, the single layer: u = f / r + (f.r) r / r^3.
struct Stokeslet {
  static constexpr Kernel kernel = Kernel::stokeslet;
  static constexpr Outputs outputs = Output::velocity;
  static constexpr std::string_view name = "stokeslet", symbol = "stokeslet";
  static constexpr std::array strength_fields{Field{.columns = "f*"}};
  static constexpr std::array result_fields{FlowResults::velocity};
  static constexpr std::array layers{Layer{.passed = 2.0 / 3, .pressed = 4.0 / 3}};
  static constexpr int strengths = numbers_of(strength_fields), results = numbers_of(result_fields);

  struct Bare {
    static constexpr int flops = 20;

    template <class V>
    NEARFAR_FUNCTION static void add(V inverse, V x, V y, V z, V const* f, V* u) {
      V const radial = (x * f[0] + y * f[1] + z * f[2]) * (inverse * inverse);
      u[0] = u[0] + inverse * (f[0] + radial * x);
      u[1] = u[1] + inverse * (f[1] + radial * y);
      u[2] = u[2] + inverse * (f[2] + radial * z);
    }
  };

  static constexpr Base base = Base::hasimoto;
  static constexpr std::array near_layers{Radial::stokes, Radial::slope};
  struct Near {
    static constexpr int factor_count = 2, first_layer = 0, polynomials = 2, flops = 21;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      factor[0] = inverse - layer[0];
      factor[1] = inverse * inverse * inverse - layer[1];
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* f, V* u) {
      V const a = factor[0], radial = factor[1] * (x * f[0] + y * f[1] + z * f[2]);
      u[0] = u[0] + a * f[0] + radial * x;
      u[1] = u[1] + a * f[1] + radial * y;
      u[2] = u[2] + a * f[2] + radial * z;
    }
  };
  static constexpr Spreading spreading = Spreading::plain;
  static constexpr bool transverse = true;
  using Far = StokesletFar;
  using Gather = Gathered<3, 0>;

  using Sums = StokesSums<true, false>;
  using Evaluation = FlowEvaluation<1>;
};

/// With the pressure, p = 2 f.r / r^3.
struct StokesletPressure : Stokeslet {
  static constexpr Outputs outputs = FlowResults::outputs_with_pressure;
  static constexpr std::string_view symbol = "stokeslet_pressure";
  static constexpr std::array result_fields = FlowResults::with_pressure;
  static constexpr int results = numbers_of(result_fields);

  struct Near : Stokeslet::Near {
    static constexpr int flops = 23;

    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* f, V* u) {
      V const a = factor[0], radial = factor[1] * (x * f[0] + y * f[1] + z * f[2]);
      u[0] = u[0] + a * f[0] + radial * x;
      u[1] = u[1] + a * f[1] + radial * y;
      u[2] = u[2] + a * f[2] + radial * z;
      u[3] = u[3] + (radial + radial);
    }
  };
  using Bare = BareBy<Near>;
  using Far = PressureFar<StokesletFar>;
  using Gather = Gathered<4, 0>;
};

/// With pressure and velocity gradient.
struct StokesletGradient : StokesletPressure {
  static constexpr Outputs outputs = FlowResults::all_outputs;
  static constexpr std::string_view symbol = "stokeslet_gradient";
  static constexpr std::array result_fields = FlowResults::all;
  static constexpr int results = numbers_of(result_fields);

  static constexpr std::array near_layers{Radial::stokes, Radial::slope, Radial::curvature};
  struct Near {
    static constexpr int factor_count = 4, first_layer = 0, polynomials = 3, flops = 86;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      factor[0] = inverse - layer[0];
      flow_pairs::slope_factors(layer[1], layer[2], inverse, factor + 1);
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* f, V* u) {
      V const r[3] = {x, y, z};
      flow_pairs::add_force(factor[0], factor + 1, r, f, u);
    }
  };
  using Bare = BareBy<Near>;
  using Gather = Gathered<4, 3>;
  using Evaluation = FlowEvaluation<2>;
};

}  // namespace nearfar
