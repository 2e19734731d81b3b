// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/runtime/runtime_state.hpp"
#include "tasks/points/blocked_points.hpp"

#include <memory>
#include <span>

namespace nearfar::detail {

/// Sorts points (rows of three) into the cells and blocks of a frame, keeping the caller's order
/// within a cell. `what` names the points in messages ("source", "target"). With `keep_unwrapped`,
/// positions outside the box are kept too; with `distinct`, no two points may coincide. Throws
/// Error{bad_input} as place and not_distinct do, and for more points than can be numbered. Many
/// points are sorted by tasks on all CPU workers, which end before this returns, with the same result.
template <class T>
BlockedPoints<T> sorted_into_cells(std::shared_ptr<RuntimeState> const& runtime, Frame const& frame,
                                   std::span<T const> rows, char const* what, bool keep_unwrapped, bool distinct);

}  // namespace nearfar::detail
