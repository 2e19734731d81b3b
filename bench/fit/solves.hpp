// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bench/fit/fit.hpp"

#include <nearfar/runtime.hpp>

#include <array>
#include <functional>
#include <string>

namespace nearfar::bench {

/// For each row of the table of throughputs, what its stages took in two dozen solves in double precision on all CPU
/// workers: medians of CPU times, so that other programs on the machine do little harm. `begins` is called before each.
std::array<std::vector<Observation>, row_names.size()> observe_solves(
    Runtime const& runtime, std::size_t points_of_worker, std::function<void(std::string const&)> const& begins);

}  // namespace nearfar::bench
