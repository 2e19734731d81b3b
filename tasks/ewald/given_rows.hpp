// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/cell_sort.hpp"
#include "tasks/nodes/parts.hpp"
#include "tasks/nodes/ranks.hpp"
#include "tasks/points/blocked_points.hpp"

#include <vector>

namespace nearfar::detail {

/// The rows of points that this rank gave, found again in their blocks; but for whole edges where `keep_unwrapped` does
/// not say that the caller's own positions are kept. Of several ranks the first of a block's `holders` sends its points
/// to those that gave them. Collective.
template <class T>
std::vector<T> given_rows(Ranks const& ranks, BlockedPoints<T> const& points, Parts const& parts,
                          std::vector<std::vector<int>> const& holders, Frame const& frame, bool keep_unwrapped);

}  // namespace nearfar::detail
