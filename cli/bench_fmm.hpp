// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/generate.hpp"
#include "cli/options.hpp"

namespace nearfar::cli {

/// Measures solves by the multipole method, and prints the figures on stdout, as a table or as JSON.
void bench_fmm(FmmSettings const& settings, GenerateOptions const& particles, RuntimeOptions const& machine, int repeat,
               bool json);

}  // namespace nearfar::cli
