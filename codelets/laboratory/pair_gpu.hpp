// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/laboratory/pair_set.hpp"

namespace nearfar {

/// The same sums by a kernel of one's own for CUDA or HIP (PairTeam): sources in shared memory or not, one or several
/// threads for each target. Points are copied there, and results back. Throws std::runtime_error for what the GPU
/// refuses, Error{no_resource} where it has no memory.
template <bool shared, int parts, class F, class T>
void pairs_gpu(PairSet<T> const& host, F const& function);

inline constexpr int pair_parts = 8;  ///< threads for each target where there are several

/// Whether they can run on this machine.
bool pairs_have_gpu();

}  // namespace nearfar
