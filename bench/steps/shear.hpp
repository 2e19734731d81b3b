// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/bench/bench.hpp"

namespace nearfar::cli {

/// Steps of a suspension in a cube and in the same cube while it is sheared from 0 to 1, in turn; prints one line of
/// JSON: the CPU time of a step (positions and cell to results) of each, medians, and their ratio; and the ratio
/// of all steps together, with those that needed a new plan.
void bench_sheared_steps(BenchSettings const& settings);

}  // namespace nearfar::cli
