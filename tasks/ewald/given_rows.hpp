// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/cell_sort.hpp"
#include "tasks/nodes/parts.hpp"
#include "tasks/nodes/ranks.hpp"
#include "tasks/points/blocked_points.hpp"

#include <vector>

namespace nearfar::detail {

/// The rows of points as this rank gave them, recovered from their blocks; up to whole edges,
/// unless `keep_unwrapped` says that the caller's own positions are kept. With several ranks,
/// the first of a block's `holders` sends its points to those that gave them. Collective.
template <class T>
std::vector<T> given_rows(Ranks const& ranks, BlockedPoints<T> const& points, Parts const& parts,
                          std::vector<std::vector<int>> const& holders, Frame const& frame, bool keep_unwrapped);

}  // namespace nearfar::detail
