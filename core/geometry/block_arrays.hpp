// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace nearfar {

/// The arrays of a block of points, each x[stride], y[stride], z[stride]; null for forms of positions not kept.
template <class T>
struct BlockArrays {
  int points = 0, cells = 0;
  std::int64_t stride = 0;
  std::int32_t* offset = nullptr;  ///< of each cell, and the end
  std::uint32_t* row = nullptr;
  T *position = nullptr, *near = nullptr, *given = nullptr;
  float* rough = nullptr;  ///< near positions in single precision
};

}  // namespace nearfar
