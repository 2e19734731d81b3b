// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/bench/bench.hpp"

namespace nearfar::cli {

/// Steps of simulated systems (`what`: the one that is asked for; none: all) by two plans in turn, one of which holds
/// the tolerance for whole sum and far part, the other for the whole sum alone. Prints a line of JSON for each system:
/// the CPU time of a step (moved and solved) of each, their ratio, and the errors of the last step.
void bench_tolerance_of(BenchSettings const& settings);

}  // namespace nearfar::cli
