// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/p2m/p2l_team.hpp"

namespace nearfar {

/// Adds the expansions of points of some source blocks to the locals of all boxes of a task, on a stream (cudaStream_t
/// or hipStream_t); returns at once. Throws std::runtime_error if the launch is refused. No StarPU in here.
template <class Sums, class T>
void launch_p2l(P2LLaunch<T> const& launch, LaunchList<PairSources<T>> const& sources, void* stream);

}  // namespace nearfar
