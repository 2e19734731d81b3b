// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/p2m/p2m_team.hpp"

namespace nearfar {

/// Multipoles of all leaves of a task, on a stream (cudaStream_t or hipStream_t);
/// returns at once. Throws std::runtime_error if a launch is refused. No StarPU in here.
template <class Sums, class T>
void launch_p2m(P2MLaunch<T> launch, void* stream);

}  // namespace nearfar
