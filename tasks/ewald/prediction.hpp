// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/machine.hpp"
#include "tasks/ewald/plan.hpp"

namespace nearfar::detail {

/// Seconds of a solve with these points on all workers, without submission, for each of the vectors of strengths that
/// it sums at once. `options`: the plan's.
template <class T>
double predicted_seconds(Machine const& machine, EwaldOptions options, EwaldSetup<T> const& setup,
                         PointSet<T> const& points, Part part, int vectors = 1);

}  // namespace nearfar::detail
