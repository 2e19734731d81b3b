// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstddef>

namespace nearfar::detail {

/// How much memory to ask for so many bytes of data that StarPU places. It keeps the memory of data that are gone for
/// others of exactly the same size, and asks the driver for all others, which takes a GPU about a millisecond for each
/// large array; and tables of points that move differ by little from one step to the next. So large sizes are rounded
/// up, by a sixteenth at most. (StarPU itself divides memory among data of up to 4 MiB.)
constexpr std::size_t reused_room(std::size_t bytes) {
  constexpr std::size_t divided = std::size_t(4) << 20, parts = 16;
  if (bytes <= divided) return bytes;
  std::size_t const step = std::bit_floor(bytes) / parts;
  return (bytes + step - 1) / step * step;
}

}  // namespace nearfar::detail
