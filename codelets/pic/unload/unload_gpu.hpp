// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// What a GPU does for one particle: of three numbers, `stride` apart, it makes a row.
template <class T>
struct UnloadBody {
  T const* from;
  T* to;
  std::int64_t count, stride;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    for (int d = 0; d < 3; ++d) to[3 * i + d] = from[d * stride + i];
  }
};

/// Positions or velocities of particles of a block on a stream; returns at once. Throws std::runtime_error when the
/// launch is refused.
template <class T>
void launch_unload(UnloadBody<T> const& body, void* stream);

}  // namespace nearfar
