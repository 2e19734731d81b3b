// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/check/check_rows_team.hpp"

namespace nearfar {

/// The sums of rows on a stream (cudaStream_t or hipStream_t); returns at once. Throws std::runtime_error if a launch
/// is refused. No StarPU in here.
template <class T>
void launch_check_rows(CheckRowsLaunch<T> launch, void* stream);

}  // namespace nearfar
