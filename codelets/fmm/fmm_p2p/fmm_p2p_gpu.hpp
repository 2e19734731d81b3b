// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/fmm_p2p/fmm_p2p_launch.hpp"

#include <nearfar/kernel.hpp>

namespace nearfar {

/// Near field at the points of all leaves of a task from some source blocks, on a stream (cudaStream_t or
/// hipStream_t); returns at once. Pairs have precision A. Throws std::runtime_error if the launch is refused. No StarPU
/// in here.
template <class K, class A, class T>
void launch_fmm_p2p(FmmP2PLaunch<T> launch, LaunchList<PairSources<T>> const& sources, void* stream);

}  // namespace nearfar
