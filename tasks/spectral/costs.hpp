// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/spectral/layout.hpp"

#include <cstdint>

namespace nearfar::detail {

/// Flops of a slab's planes, one way.
double plane_flops(SpectralLayout const& layout, int slab, int components);

/// Flops of a group of columns, there and back; `components`: those that go in and those that go out.
double column_flops(SpectralLayout const& layout, int group, int components);

/// How many tasks work of so many flops is cut into, at most `limit`: a few milliseconds each, some for every worker,
/// and no more than `most` unless there are not enough for the workers.
int task_count(double flops, int workers, double most, std::int64_t limit);

}  // namespace nearfar::detail
