// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/machine_shape.hpp"
#include "tasks/ewald_plan.hpp"

namespace nearfar::detail {

/// Seconds of a solve with these points on all workers, but for what submission takes.
template <class T>
double predicted_seconds(MachineShape const& machine, EwaldSetup<T> const& setup, PointSet<T> const& points, Part part);

}  // namespace nearfar::detail
