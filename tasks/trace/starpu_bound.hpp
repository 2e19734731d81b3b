// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <set>
#include <starpu.h>
#include <utility>

namespace nearfar::detail {

/// A cost model and its key for one size of task.
using ModelKey = std::pair<starpu_perfmodel*, std::uint32_t>;

/// From here on StarPU counts the tasks that are submitted.
void start_starpu_bound();

/// The theoretical bound of StarPU (starpu_bound_compute), in seconds: a linear program over the tasks counted and the
/// mean times, less a deviation, of its models; dependencies and transfers aside. 0 where one of `models` is not
/// calibrated: StarPU would warn of it, begin to calibrate, and have no answer.
double starpu_bound(std::set<ModelKey> const& models);

}  // namespace nearfar::detail
