// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/lattice/lattice_team.hpp"

namespace nearfar {

/// The root's local on a stream (cudaStream_t or hipStream_t); returns at once.
/// Throws std::runtime_error if the launch is refused. No StarPU in here.
template <class T>
void launch_lattice(LatticeLaunch<T> const& launch, void* stream);

}  // namespace nearfar
