// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/units/units_team.hpp"

namespace nearfar {

/// The largest strengths of a range of rows on a stream; returns
/// at once. Throws std::runtime_error if a launch is refused.
template <class T>
void launch_largest(LargestArgs const& args, T const* rows, double* out, void* stream);

/// The units of all vectors, from the largest strengths of all ranges.
void launch_units(UnitsArgs const& args, LaunchList<double const*> const& largest, StrengthUnit* out, void* stream);

}  // namespace nearfar
