// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/spectral/layout.hpp"

#include <cstdint>

namespace nearfar::detail {

/// Flops of transforming a slab's planes one way.
double plane_flops(SpectralLayout const& layout, int slab, int components);

/// Flops of a group of columns, there and back; `components`: those going in plus those coming out.
double column_flops(SpectralLayout const& layout, int group, int components);

/// Number of tasks for work of so many flops, at most `limit`: a few milliseconds each,
/// some for every worker, and at most `most` unless that is too few for the workers.
int task_count(double flops, int workers, double most, std::int64_t limit);

}  // namespace nearfar::detail
