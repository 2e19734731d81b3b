// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/translate/dense_team.hpp"

namespace nearfar {

/// Expansions that a block of threads can take to multiply them by whole matrices of an order; 0: not even the least.
template <class T>
int dense_lanes(int order);

/// Makes the matrices, on a stream (cudaStream_t or hipStream_t); returns at once.
template <class T>
void launch_dense_matrices(DenseLaunch<T> const& launch, void* stream);

/// The interactions that the launch takes, from these sources, added up in its targets.
template <class T>
void launch_dense_shift(DenseLaunch<T> const& launch, LaunchList<T const*> const& sources, int lanes, void* stream);

}  // namespace nearfar
