// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/frame.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace nearfar::detail {

/// Elements in whole cache lines for n elements of at least 4 bytes, with
/// room for a SIMD vector (a line at most) that begins at the last of them.
std::int64_t padded(std::int64_t n);

/// Places point number `point` of the caller's rows in the box, in our unit, wrapped into [0, edge) along directions
/// that repeat. `what` names the points in messages ("source", "target"). Throws Error{bad_input} for a coordinate
/// that is not finite, outside the box along a free direction, or so far away that wrapping would lose its place.
template <class T>
std::array<T, 3> place(Frame const& frame, T const* row, char const* what, std::size_t point);

/// Lets free directions hold their upper ends also where rounding to the points' precision puts these outside.
template <class T>
void take_in_ends(Cells& cells) {
  for (int d = 0; d < 3; ++d) {
    T const volatile rounded = T(cells.edge[d]);  // volatile: GCC 12 takes a conversion and back for nothing in loops
    if (!cells.periodic[d]) cells.edge[d] = std::max(cells.edge[d], double(rounded));
  }
}

/// Throws Error{bad_input} for two coinciding points (in
/// the caller's unit), whose interaction would be infinite.
template <class T>
[[noreturn]] void not_distinct(char const* what, std::uint32_t i, std::uint32_t j, std::array<T, 3> const& point);

}  // namespace nearfar::detail
