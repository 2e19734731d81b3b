// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/fmm_p2p/fmm_p2p_launch.hpp"

namespace nearfar {

/// As launch_fmm_p2p (codelets/fmm/fmm_p2p/fmm_p2p_gpu.hpp), with softened pairs. No StarPU in here.
template <class K, class T>
void launch_soft_p2p(FmmP2PLaunch<T> launch, LaunchList<PairSources<T>> const& sources, void* stream);

}  // namespace nearfar
