// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/runtime_state.hpp"
#include "tasks/points/blocked_points.hpp"

#include <memory>
#include <span>

namespace nearfar::detail {

/// Points (rows of three) sorted into the cells and blocks of a frame, those of a cell in the caller's order. `what`
/// names them in messages ("source", "target"). With `keep_unwrapped` they remember where points outside the box were;
/// with `distinct` no two may be at one place. Throws Error{bad_input} as place and not_distinct do, and for more
/// points than can be numbered. Many points are sorted by tasks on all CPU workers, which end before this returns; the
/// result is the same.
template <class T>
BlockedPoints<T> sorted_into_cells(std::shared_ptr<RuntimeState> const& runtime, Frame const& frame,
                                   std::span<T const> rows, char const* what, bool keep_unwrapped, bool distinct);

}  // namespace nearfar::detail
