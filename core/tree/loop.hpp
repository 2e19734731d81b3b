// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

namespace nearfar {

/// Calls body(0), ..., body(count - 1), in any order and possibly concurrently.
/// Returns when all have ended; throws the first error of any of them.
using Loop = std::function<void(std::size_t count, std::function<void(std::size_t)> const& body)>;

/// Calls one after the other on the caller's thread.
inline void in_turn(std::size_t count, std::function<void(std::size_t)> const& body) {
  for (std::size_t i = 0; i < count; ++i) body(i);
}

/// A loop over 0 ... size - 1 in `parts` parts: calls body(part, first, last).
template <class Body>
void in_parts(Loop const& loop, std::size_t size, std::size_t parts, Body const& body) {
  loop(parts, [&](std::size_t part) { body(part, size * part / parts, size * (part + 1) / parts); });
}

/// A number of parts for that, each with `usual` elements or a little more; at most `most`.
inline std::size_t parts_for(std::size_t size, std::size_t usual = 1 << 14, std::size_t most = 256) {
  return std::clamp<std::size_t>(size / usual, 1, most);
}

}  // namespace nearfar
