// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/p2g/p2g_team.hpp"

namespace nearfar {

/// Spreads the points of `sources` to a slab, or adds them unless they are the first of the task, on a stream
/// (cudaStream_t or hipStream_t); returns at once. Throws std::runtime_error if the launch is refused.
template <Spreading S, class T>
void launch_p2g(P2GLaunch<T> const& launch, LaunchList<BlockView<T>> const& sources, void* stream);

}  // namespace nearfar
