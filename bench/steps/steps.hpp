// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/bench/bench.hpp"

namespace nearfar::cli {

/// Steps of charges: with how many targets the forces are checked, and where the arrays are.
struct StepsSettings : BenchSettings {
  bool on_host = false;  ///< arrays, although there is a GPU
  bool masses = false;   ///< strengths of one sign
  int sample = 200;      ///< targets whose forces are summed directly; 0: none
};

/// Moves charges and solves for potential and gradient, step by step; prints one line of JSON: what a step takes, from
/// the positions to the forces, what the first solve with new points and later ones take and what was predicted of
/// them, and the relative l2 error of the forces of the last step.
void bench_whole_steps(StepsSettings settings);

}  // namespace nearfar::cli
