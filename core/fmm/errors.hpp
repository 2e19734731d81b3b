// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/fmm.hpp>

#include <array>

namespace nearfar {

/// The finest tolerance and the highest order for this precision.
template <class T>
double finest_fmm_tolerance() noexcept;
template <class T>
int highest_fmm_order() noexcept;

/// Edges of a periodic cell relative to the longest, and so of all boxes of its tree. 1, 1, 1 in free space.
std::array<double, 3> cell_aspect(FmmOptions const& options) noexcept;

/// For boxes that are not near: the largest ratio of the summed distances of a source and a target from the
/// centres of their boxes to the distance of the centres. Expansions converge below 1 (fmm.md, Sec. 2).
double worst_ratio(FmmOptions const& options, int separation) noexcept;

/// Whether that ratio is in the range for which fmm_error was measured.
bool converges(FmmOptions const& options, int separation) noexcept;

/// Expected relative l2 error of a sum over points with random charges of both signs, the harder case for potentials:
/// the largest of those of all outputs that are wanted (fmm.md, Sec. 1.7, and measured beyond its tables).
double fmm_error(FmmOptions const& options, int order, int separation);

/// Factor by which errors grow if leaves hold fewer points than in the
/// tables, because the near part is then a smaller part of the sum.
double sparse_leaves(double crowd) noexcept;

/// Factor by which relative errors of what falls off like 1 / r^2 or faster grow if there are fewer
/// targets than in the tables, where the norm is dominated by the few close to a source.
double few_targets(FmmOptions const& options, double targets) noexcept;

/// The same if few sources carry the sum, like `participation` equal ones: 1 unless they are a small part of all.
double few_sources(FmmOptions const& options, double participation, double sources) noexcept;

/// The lowest order that reaches the tolerance, with the rounding of pairs in single precision if so; 0 if none does.
template <class T>
int order_for(FmmOptions const& options, int separation, bool near_in_single = false);

}  // namespace nearfar
