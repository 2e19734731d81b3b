// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/laboratory/pair_set.hpp"

namespace nearfar {

/// The same sums by our own kernel for CUDA or HIP (PairTeam): with or without sources in shared
/// memory, with one or several threads for each target. Copies points to the GPU and results back.
/// Throws std::runtime_error if the GPU refuses, Error{no_resource} if its memory does not suffice.
template <bool shared, int parts, class F, class T>
void pairs_gpu(PairSet<T> const& host, F const& function);

inline constexpr int pair_parts = 8;  ///< threads for each target, if there are several

/// Whether these can run on this machine.
bool pairs_have_gpu();

}  // namespace nearfar
