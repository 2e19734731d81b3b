// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/field.hpp"
#include "core/kernels/far_pressure.hpp"
#include "core/kernels/pairs/bare_pair.hpp"
#include "core/kernels/pairs/flow_pairs.hpp"
#include "core/kernels/split.hpp"
#include "core/math/function.hpp"

namespace nearfar {

/// Torques on the grid: u = i m k x t.
struct RotletFar {
  static constexpr char const *name = "rotlet", *name_with_pressure = "rotlet_pressure";
  static constexpr int in = 3, out = 3;
  static constexpr TableParts table{.vector = true};

  template <class T, class Green>
  NEARFAR_FUNCTION static void apply(Green const& green, T* re, T* im) {
    T k[3];
    green.vector(k);
    T const a[3] = {re[0], re[1], re[2]}, b[3] = {im[0], im[1], im[2]};
    for (int d = 0; d < 3; ++d) {
      int const e = (d + 1) % 3, f = (d + 2) % 3;
      re[d] = k[f] * b[e] - k[e] * b[f];
      im[d] = k[e] * a[f] - k[f] * a[e];
    }
  }
};

/// Three sums of 1/r, with the torques as charges: u = curl (t / r).
struct RotletSums {
  static constexpr std::string_view symbol = "rotlet";
  static constexpr int rhs = 3, strengths = 3;
  static constexpr int charges = 3, dipoles = 0, weights = 3;

  template <class V>
  NEARFAR_FUNCTION static void weigh(V const* t, V const*, V, V* weight) {
    for (int j = 0; j < 3; ++j) weight[j] = t[j];
  }

  /// Velocity, pressure (0) and with `Slopes` = 2 velocity gradient at a target, from the slopes of all sums.
  template <int Slopes>
  struct Evaluation {
    static constexpr std::string_view symbol = Slopes == 1 ? "curl" : "curl_gradient";
    static constexpr int rhs = 3, slopes = Slopes, width = SumSlopes::up_to(Slopes) - 1, values = 3 * width,
                         results = Slopes == 1 ? gradient_at : gradient_at + 9;

    /// Index of number d of right-hand side r among the values; -1: not needed.
    NEARFAR_FUNCTION static constexpr int value(int r, int d) { return d == 0 ? -1 : width * r + d - 1; }

    template <class V>
    NEARFAR_FUNCTION static void combine(V const* sum, V const*, V inverse_unit, V* out) {
      V const slope_scale = inverse_unit * inverse_unit;
      for (int d = 0; d < 3; ++d) {
        int const e = (d + 1) % 3, f = (d + 2) % 3;
        out[d] = slope_scale * (sum[value(f, 1 + e)] - sum[value(e, 1 + f)]);
        if constexpr (Slopes > 1)
          for (int m = 0; m < 3; ++m)
            out[gradient_at + 3 * d + m] =
                slope_scale * inverse_unit *
                (SumSlopes::second(sum + value(f, 4), e, m) - SumSlopes::second(sum + value(e, 4), f, m));
      }
      out[pressure_at] = V(0);
    }
  };
};

/// The flow of a torque: u = t x r / r^3.
struct Rotlet {
  static constexpr Kernel kernel = Kernel::rotlet;
  static constexpr Outputs outputs = Output::velocity;
  static constexpr std::string_view name = "rotlet", symbol = "rotlet";
  static constexpr std::array strength_fields{Field{.columns = "t*", .axial = true}};
  static constexpr std::array result_fields{FlowResults::velocity};
  static constexpr std::array layers{Layer{.decay = 2, .passed = 2.0 / 3}};
  static constexpr int strengths = numbers_of(strength_fields), results = numbers_of(result_fields);

  /// u += factor t x r
  template <class V>
  NEARFAR_FUNCTION static void add_cross(V factor, V x, V y, V z, V const* t, V* u) {
    u[0] = u[0] + factor * (t[1] * z - t[2] * y);
    u[1] = u[1] + factor * (t[2] * x - t[0] * z);
    u[2] = u[2] + factor * (t[0] * y - t[1] * x);
  }

  struct Bare {
    static constexpr int flops = 17;

    template <class V>
    NEARFAR_FUNCTION static void add(V inverse, V x, V y, V z, V const* t, V* u) {
      add_cross(inverse * inverse * inverse, x, y, z, t, u);
    }
  };

  static constexpr Base base = Base::laplace;
  static constexpr std::array near_layers{Radial::slope};
  struct Near {
    static constexpr int factor_count = 1, first_layer = 0, polynomials = 1, flops = 18;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      factor[0] = inverse * inverse * inverse - layer[0];
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* t, V* u) {
      add_cross(factor[0], x, y, z, t, u);
    }
  };
  static constexpr Spreading spreading = Spreading::plain;
  static constexpr bool transverse = true;
  using Far = RotletFar;
  using Gather = Gathered<3, 0>;

  using Sums = RotletSums;
  using Evaluation = Sums::Evaluation<1>;
};

/// With the pressure, which is 0.
struct RotletPressure : Rotlet {
  static constexpr Outputs outputs = FlowResults::outputs_with_pressure;
  static constexpr std::string_view symbol = "rotlet_pressure";
  static constexpr std::array result_fields = FlowResults::with_pressure;
  static constexpr int results = numbers_of(result_fields);

  using Far = NoPressureFar<RotletFar>;
  using Gather = Gathered<4, 0>;
};

/// With pressure and velocity gradient.
struct RotletGradient : RotletPressure {
  static constexpr Outputs outputs = FlowResults::all_outputs;
  static constexpr std::string_view symbol = "rotlet_gradient";
  static constexpr std::array result_fields = FlowResults::all;
  static constexpr int results = numbers_of(result_fields);

  static constexpr std::array near_layers{Radial::slope, Radial::curvature};
  struct Near {
    static constexpr int factor_count = 3, first_layer = 0, polynomials = 2, flops = 60;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      flow_pairs::slope_factors(layer[0], layer[1], inverse, factor);
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* t, V* u) {
      V const r[3] = {x, y, z};
      flow_pairs::add_torque(factor, r, t, u);
    }
  };
  using Bare = BareBy<Near>;
  using Gather = Gathered<4, 3>;
  using Evaluation = Sums::Evaluation<2>;
};

}  // namespace nearfar
