// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bench/fit/fit.hpp"

#include <nearfar/runtime.hpp>

#include <functional>
#include <string>
#include <vector>

namespace nearfar::bench {

/// What whole solves of charges took on the only GPU of the runtime, medians, with arrays there and on the host: small
/// ones, which are captured, and larger ones. Factors are those of fitted_gpu_constants. `begins` is called before
/// each.
std::vector<Observation> observe_gpu_solves(Runtime const& runtime,
                                            std::function<void(std::string const&)> const& begins);

}  // namespace nearfar::bench
