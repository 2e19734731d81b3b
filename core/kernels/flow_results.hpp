// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/field.hpp"

namespace nearfar {

/// What targets get of a flow: the velocity; with the pressure; with the velocity gradient d_m u_j too, whose rows are
/// components and whose columns are directions.
struct FlowResults {
  static constexpr Field velocity{.columns = "u*", .output = Output::velocity};
  static constexpr Field pressure{.columns = "p", .output = Output::pressure, .derivative = 1};
  static constexpr Field gradient{.columns = "du*d*", .output = Output::gradient, .derivative = 1};
  static constexpr std::array with_pressure{velocity, pressure};
  static constexpr std::array all{velocity, pressure, gradient};
  static constexpr Outputs outputs_with_pressure = Output::velocity | Output::pressure;
  static constexpr Outputs all_outputs = outputs_with_pressure | Output::gradient;
};

/// Where the numbers of a row begin.
inline constexpr int pressure_at = 3, gradient_at = 4;

}  // namespace nearfar
