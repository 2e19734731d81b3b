// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/pairs/near_of_both.hpp"
#include "core/kernels/stresslet.hpp"

namespace nearfar {

/// Both layers of Stokes flow; strengths are f, q, n.
struct Stokes : Stresslet {
  static constexpr Kernel kernel = Kernel::stokes;
  static constexpr std::string_view name = "stokes", symbol = "stokes";
  static constexpr std::array strength_fields{Field{.columns = "f*"}, Field{.columns = "q*"}, Field{.columns = "n*"}};
  static constexpr std::array layers{
      Layer{.passed = 2.0 / 3, .pressed = 4.0 / 3},
      Layer{.first = 1, .fields = 2, .decay = 2, .passed = 7.0 / 9, .pressed = 16.0 / 9}};
  static constexpr int strengths = numbers_of(strength_fields);

  struct Bare {
    static constexpr int flops = 38;

    template <class V>
    NEARFAR_FUNCTION static void add(V inverse, V x, V y, V z, V const* f, V* u) {
      V const *const q = f + 3, *const n = f + 6, inverse2 = inverse * inverse;
      V const rq = x * q[0] + y * q[1] + z * q[2], rn = x * n[0] + y * n[1] + z * n[2];
      V const rf = x * f[0] + y * f[1] + z * f[2];
      V const radial = (rf - V(6) * (rq * rn) * inverse2) * inverse2;
      u[0] = u[0] + inverse * (f[0] + radial * x);
      u[1] = u[1] + inverse * (f[1] + radial * y);
      u[2] = u[2] + inverse * (f[2] + radial * z);
    }
  };

  struct Near {
    static constexpr int factor_count = 4, first_layer = 0, polynomials = 3, flops = 69;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      Stokeslet::Near::factors(layer, inverse, factor);
      Stresslet::Near::double_layer(inverse, factor[1], layer[2], factor + 2);
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* f, V* u) {
      Stokeslet::Near::add(factor, x, y, z, f, u);
      Stresslet::Near::add(factor + 2, x, y, z, f + 3, u);
    }
  };

  using Sums = StokesSums<true, true>;
  using Evaluation = FlowEvaluation<1>;
};

/// With the pressure.
struct StokesPressure : Stokes {
  static constexpr Outputs outputs = FlowResults::outputs_with_pressure;
  static constexpr std::string_view symbol = "stokes_pressure";
  static constexpr std::array result_fields = FlowResults::with_pressure;
  static constexpr int results = numbers_of(result_fields);

  using Near = NearOfBoth<StokesletPressure, StressletPressure>;
  using Bare = BareBy<Near>;
  using Far = PressureFar<DoubleLayerFar>;
  using Gather = Gathered<4, 0>;
};

/// With pressure and velocity gradient.
struct StokesGradient : StokesPressure {
  static constexpr Outputs outputs = FlowResults::all_outputs;
  static constexpr std::string_view symbol = "stokes_gradient";
  static constexpr std::array result_fields = FlowResults::all;
  static constexpr int results = numbers_of(result_fields);

  static constexpr std::array near_layers = StressletGradient::near_layers;
  using Near = NearOfBoth<StokesletGradient, StressletGradient>;
  using Bare = BareBy<Near>;
  using Gather = Gathered<4, 3>;
  using Evaluation = FlowEvaluation<2>;
};

}  // namespace nearfar
