// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/loop.hpp"
#include "tasks/points/views/moved_pair.hpp"
#include "tasks/points/views/relative_rows.hpp"

namespace nearfar::detail {

/// Of sources and targets, or of sources alone, of this rank. `power`: by which the fields of equal sources, whose
/// changes decide which pairs are kept, fall off with the distance. Looks at all targets, or where many sources are in
/// one place, at as many as a linear time allows, chosen evenly. The same pairs with every loop.
MovedPairs moved_pairs(Region const& region, RelativeRows const& sources, RelativeRows const* targets, int power,
                       Loop const& loop);

}  // namespace nearfar::detail
