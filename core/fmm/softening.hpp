// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/fmm.hpp>

namespace nearfar {

/// Relative l2 error of sums whose far part knows nothing of softening, where the nearest pairs of the far part are
/// `distance` apart. Softening changes the force of a pair by 3/2 (epsilon / r)^2 of it. For points without a pattern
/// around a target, the nearest of them `a` away, squares of what all pairs from D on lack add up to 9/20 a epsilon^4 /
/// D^5 of those of all forces; a is taken for D, as if leaves held one point: 0.67 (epsilon / D)^2. Potentials, which
/// fall more slowly, have less of it; second derivatives, which fall faster, have 1.7 (epsilon / D)^2.
double softening_error(double softening, double distance, Outputs outputs) noexcept;

/// Throws Error{bad_input} for a softening of other kernels than charges, or that no plan takes.
void check_softening(FmmOptions const& options);

/// Of the tolerance, what the softening may take, in square, and what it leaves for the expansions.
inline constexpr double share_of_softening = 0.5, left_by_softening = 0.866;

/// The error of the softening, for a tree whose least leaves have this side. Throws Error{bad_input} if the tolerance
/// has no room for it.
double softening_error_in(FmmOptions const& options, double side, int separation);

}  // namespace nearfar
