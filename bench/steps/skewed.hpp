// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/bench/bench.hpp"

namespace nearfar::cli {

/// Solves in a cube and in two cells of the same volume and with edges as long as each other, in turn: one with one
/// angle of so many degrees and two right ones, one with three such angles. Prints one line of JSON: the CPU time of a
/// solve in each, medians, and what they are over that of the cube; the same of the first solve of each.
void bench_skewed_cells(BenchSettings const& settings, double degrees);

}  // namespace nearfar::cli
