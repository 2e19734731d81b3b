// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_check.hpp"
#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// What a GPU does for one particle: makes a row of three numbers with stride `stride`.
template <class T>
struct UnloadBody {
  T const* from;
  T* to;
  std::int64_t count, stride;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    for (int d = 0; d < 3; ++d) to[3 * i + d] = from[d * stride + i];
  }
};

/// Copies positions or velocities of particles of a block on a stream; returns at once. `bad` receives the first number
/// that is not finite, by its place in the rows. Throws std::runtime_error if a launch is refused.
template <class T>
void launch_unload(UnloadBody<T> const& body, BadNumber* bad, void* stream);

}  // namespace nearfar
