// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/units/units.hpp"

namespace nearfar {

/// The largest strengths of a range of rows on a stream; returns at once. Throws std::runtime_error when a launch is
/// refused.
template <class T>
void launch_largest(LargestArgs const& args, T const* rows, double* out, void* stream);

}  // namespace nearfar
