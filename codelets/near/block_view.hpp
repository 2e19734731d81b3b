// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/either_precision.hpp"

#include <cstdint>

namespace nearfar {

/// A block's points in memory: x[stride], y[stride], z[stride], cell by cell; the points of cell
/// c are offsets[c] .. offsets[c + 1]. Strengths and results are laid out likewise, one array
/// per component. The stride leaves room for a whole SIMD vector starting at the last point.
template <class T>
struct BlockView {
  Positions<T> position{};
  T const* strength = nullptr;
  std::int32_t const* offset = nullptr;
  std::int64_t stride = 0;
};

}  // namespace nearfar
