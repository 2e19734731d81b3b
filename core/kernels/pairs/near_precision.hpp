// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/ewald.hpp>

namespace nearfar {

/// Relative l2 error of pairs that are summed in single precision inside a double solve, and the finest tolerance that
/// leaves to the rest what it needs: a sixteenth of its square is theirs.
inline constexpr double single_near_error = 2.5e-7, finest_for_single_near = 1e-6;

/// Of fewer points pairs take no time in either precision, but rounding shows where their fields nearly cancel.
inline constexpr double fewest_for_single_near = 64;

/// Throws Error{bad_input} if pairs cannot have this precision in a solve in T to this tolerance.
template <class T>
void check_near_precision(NearPrecision precision, double tolerance);

}  // namespace nearfar
