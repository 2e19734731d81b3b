// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/points/views/relative_rows.hpp"

#include <cstddef>

namespace nearfar::detail {

/// Squares over targets of a field that falls off as 1 / r^power, and of what rounding of the points to floats changes
/// it by: each target feels its nearest source, all sources being equally strong. A field that falls off as 1 / r is
/// that of all sources.
struct MovedPairs {
  long double fields = 0, errors = 0;
};

/// Of sources and targets, or of sources alone, of this rank; `all` is how many sources all ranks have. Looks at all
/// targets, or where many sources are in one place, at as many as a linear time allows, chosen evenly.
MovedPairs moved_pairs(Region const& region, RelativeRows const& sources, RelativeRows const* targets, int power,
                       std::size_t all);

}  // namespace nearfar::detail
