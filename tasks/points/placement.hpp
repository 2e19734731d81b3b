// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/frame.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace nearfar::detail {

/// Whole cache lines for n elements of at least 4 bytes, and for a SIMD vector (a line at most) that begins at the last
/// of them.
std::int64_t padded(std::int64_t n);

/// Point number `point` of the caller's rows in the box, in our unit; wrapped into [0, edge) along directions that
/// repeat. `what` names the points in messages ("source", "target"). Throws Error{bad_input} for a coordinate that is
/// not finite, outside the box in a direction that does not repeat, or so far from it that its place is lost.
template <class T>
std::array<T, 3> place(Frame const& frame, T const* row, char const* what, std::size_t point);

/// Throws Error{bad_input} for two points at the same place (in the caller's unit), which their interaction makes
/// infinite.
template <class T>
[[noreturn]] void not_distinct(char const* what, std::uint32_t i, std::uint32_t j, std::array<T, 3> const& point);

}  // namespace nearfar::detail
