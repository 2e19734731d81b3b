// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/cell/cell_team.hpp"

namespace nearfar {

/// The stages of codelets/fmm/cell/cell.hpp on a stream (cudaStream_t or hipStream_t); they return at once, and throw
/// std::runtime_error when a launch is refused. No StarPU in here.
template <class T>
void launch_cell_moment(CellMomentLaunch<T> launch, void* stream);

/// Some of the moments, after those before; with the last ones, the first vector that has a charge, where it must have
/// none, is left in `bad`.
void launch_cell_sum(CellSumArgs const& args, LaunchList<double const*> const& moments, bool last,
                     StrengthUnit const* units, double* out, BadNumber* bad, void* stream);

template <bool Gradient, class T>
void launch_cell_field(CellFieldLaunch<T> const& launch, void* stream);

}  // namespace nearfar
