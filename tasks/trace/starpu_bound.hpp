// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <set>
#include <starpu.h>
#include <utility>

namespace nearfar::detail {

/// A cost model and its key for one size of task.
using ModelKey = std::pair<starpu_perfmodel*, std::uint32_t>;

/// From now on StarPU counts the tasks that are submitted.
void start_starpu_bound();

/// StarPU's theoretical bound (starpu_bound_compute), in seconds: a linear program over the counted
/// tasks and the mean times, less a deviation, of its models, without dependencies and transfers. 0
/// if one of `models` is not calibrated: StarPU would warn, start to calibrate, and give no answer.
double starpu_bound(std::set<ModelKey> const& models);

}  // namespace nearfar::detail
