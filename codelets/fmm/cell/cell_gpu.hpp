// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/cell/cell_team.hpp"

namespace nearfar {

/// The stages of codelets/fmm/cell/cell.hpp on a stream (cudaStream_t or hipStream_t); they
/// return at once, and throw std::runtime_error if a launch is refused. No StarPU in here.
template <class T>
void launch_cell_moment(CellMomentLaunch<T> launch, void* stream);

/// Adds some of the moments to those before; with the last ones, `bad`
/// receives the first vector with a charge, if the cell must be neutral.
void launch_cell_sum(CellSumArgs const& args, LaunchList<double const*> const& moments, bool last,
                     StrengthUnit const* units, double* out, BadNumber* bad, void* stream);

template <int Slopes, class T>
void launch_cell_field(CellFieldLaunch<T> const& launch, void* stream);

}  // namespace nearfar
