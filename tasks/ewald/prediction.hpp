// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/machine.hpp"
#include "tasks/ewald/plan.hpp"

namespace nearfar::detail {

/// Seconds of a solve with these points on all workers, without submission. `options`: the plan's.
template <class T>
double predicted_seconds(Machine const& machine, EwaldOptions options, EwaldSetup<T> const& setup,
                         PointSet<T> const& points, Part part);

}  // namespace nearfar::detail
