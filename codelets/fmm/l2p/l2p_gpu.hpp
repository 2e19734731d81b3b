// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/l2p/l2p_team.hpp"

namespace nearfar {

/// Far field at the points of all leaves of a task, on a stream (cudaStream_t or hipStream_t);
/// returns at once. Throws std::runtime_error if the launch is refused. No StarPU in here.
template <class E, class T>
void launch_l2p(L2PLaunch<T> const& launch, void* stream);

}  // namespace nearfar
