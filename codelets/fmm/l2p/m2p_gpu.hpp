// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/l2p/m2p_team.hpp"

namespace nearfar {

/// Evaluates multipoles of some blocks of boxes at the points of all leaves of a task, on
/// a stream (cudaStream_t or hipStream_t); the first launch overwrites, the others add.
/// Returns at once. Throws std::runtime_error if the launch is refused. No StarPU in here.
template <class E, class T>
void launch_m2p(M2PLaunch<T> const& launch, LaunchList<T const*> const& multipoles, void* stream);

}  // namespace nearfar
