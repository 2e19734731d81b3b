// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/stokeslet.hpp"

namespace nearfar {

/// A double layer on the grid, alone or with a single layer: g is the vector of both, s the scalar q.n (ewald.md, Sec.
/// 5.4), and u = m [(I - kk / k^2) g + i k s].
struct DoubleLayerFar {
  static constexpr char const *name = "stokes", *name_with_pressure = "stokes_pressure";
  static constexpr int in = 4, out = 3;
  static constexpr TableParts table{.tensor = true, .vector = true};

  template <class T, class Green>
  NEARFAR_FUNCTION static void apply(Green const& green, T* re, T* im) {
    T odd[3];
    green.vector(odd);
    green.project(re);
    green.project(im);
    for (int d = 0; d < 3; ++d) {
      re[d] -= odd[d] * im[3];
      im[d] += odd[d] * re[3];
    }
  }
};

/// The double layer of Stokes flow: u = -6 r (r.q) (r.n) / r^5.
struct Stresslet {
  static constexpr Kernel kernel = Kernel::stresslet;
  static constexpr Outputs outputs = Output::velocity;
  static constexpr std::string_view name = "stresslet", symbol = "stresslet";
  static constexpr std::array strength_fields{Field{.columns = "q*"}, Field{.columns = "n*"}};
  static constexpr std::array result_fields = Stokeslet::result_fields;
  static constexpr std::array layers{Layer{.fields = 2, .decay = 2, .passed = 7.0 / 9, .pressed = 16.0 / 9}};
  static constexpr int strengths = numbers_of(strength_fields), results = numbers_of(result_fields);

  struct Bare {
    static constexpr int flops = 22;

    template <class V>
    NEARFAR_FUNCTION static void add(V inverse, V x, V y, V z, V const* q, V* u) {
      V const *const n = q + 3, inverse2 = inverse * inverse;
      V const rq = x * q[0] + y * q[1] + z * q[2], rn = x * n[0] + y * n[1] + z * n[2];
      V const radial = V(-6) * (rq * rn) * (inverse2 * inverse2 * inverse);
      u[0] = u[0] + radial * x;
      u[1] = u[1] + radial * y;
      u[2] = u[2] + radial * z;
    }
  };

  static constexpr Base base = Base::hasimoto;
  static constexpr std::array near_layers{Radial::stokes, Radial::slope, Radial::curvature};
  struct Near {
    static constexpr int factor_count = 2, first_layer = 1, polynomials = 2, flops = 48;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      double_layer(inverse, inverse * inverse * inverse - layer[0], layer[1], factor);
    }
    /// Computes c and d from b and c (core/ewald/split/near_kernel.hpp).
    template <class V>
    NEARFAR_FUNCTION static void double_layer(V inverse, V b, V c, V* factor) {
      factor[0] = c;
      factor[1] = (V(-6) * b - (c + c)) * (inverse * inverse);
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* q, V* u) {
      V const* const n = q + 3;
      V const rq = x * q[0] + y * q[1] + z * q[2], rn = x * n[0] + y * n[1] + z * n[2];
      V const c = factor[0], along_q = c * rn, along_n = c * rq;
      V const radial = factor[1] * rq * rn + c * (q[0] * n[0] + q[1] * n[1] + q[2] * n[2]);
      u[0] = u[0] + along_q * q[0] + along_n * n[0] + radial * x;
      u[1] = u[1] + along_q * q[1] + along_n * n[1] + radial * y;
      u[2] = u[2] + along_q * q[2] + along_n * n[2] + radial * z;
    }
  };
  static constexpr Spreading spreading = Spreading::double_layer;
  static constexpr bool transverse = false;
  using Far = DoubleLayerFar;
  using Gather = Gathered<3, 0>;

  using Sums = StokesSums<false, true>;
  using Evaluation = FlowEvaluation<1>;
};

/// With the pressure, p = 4 q.n / r^3 - 12 (r.q) (r.n) / r^5.
struct StressletPressure : Stresslet {
  static constexpr Outputs outputs = FlowResults::outputs_with_pressure;
  static constexpr std::string_view symbol = "stresslet_pressure";
  static constexpr std::array result_fields = FlowResults::with_pressure;
  static constexpr int results = numbers_of(result_fields);

  struct Near {
    static constexpr int factor_count = 3, first_layer = 1, polynomials = 2, flops = 54;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      factor[0] = inverse * inverse * inverse - layer[0];
      Stresslet::Near::double_layer(inverse, factor[0], layer[1], factor + 1);
    }
    /// `factor`: b, c and d.
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* q, V* u) {
      V const* const n = q + 3;
      Stresslet::Near::add(factor + 1, x, y, z, q, u);
      u[3] = u[3] + (V(4) * factor[0] * (q[0] * n[0] + q[1] * n[1] + q[2] * n[2]) +
                     V(2) * factor[2] * (x * q[0] + y * q[1] + z * q[2]) * (x * n[0] + y * n[1] + z * n[2]));
    }
  };
  using Bare = BareBy<Near>;
  using Far = PressureFar<DoubleLayerFar>;
  using Gather = Gathered<4, 0>;
};

/// With pressure and velocity gradient.
struct StressletGradient : StressletPressure {
  static constexpr Outputs outputs = FlowResults::all_outputs;
  static constexpr std::string_view symbol = "stresslet_gradient";
  static constexpr std::array result_fields = FlowResults::all;
  static constexpr int results = numbers_of(result_fields);

  static constexpr std::array near_layers{Radial::stokes, Radial::slope, Radial::curvature, Radial::bend};
  struct Near {
    static constexpr int factor_count = 5, first_layer = 1, polynomials = 3, flops = 143;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      flow_pairs::bend_factors(layer[0], layer[1], layer[2], inverse, factor);
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* q, V* u) {
      V const r[3] = {x, y, z};
      flow_pairs::add_double_layer(factor, r, q, q + 3, u);
    }
  };
  using Bare = BareBy<Near>;
  using Gather = Gathered<4, 3>;
  using Evaluation = FlowEvaluation<2>;
};

}  // namespace nearfar
