// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/reduce/reduce_team.hpp"

namespace nearfar {

/// Adds all contributions of a task on a stream (cudaStream_t or hipStream_t); returns
/// at once. Throws std::runtime_error if the launch is refused. No StarPU in here.
template <class T>
void launch_reduce(ReduceLaunch<T> const& launch, void* stream);

}  // namespace nearfar
