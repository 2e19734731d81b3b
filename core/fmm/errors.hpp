// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/fmm.hpp>

#include <array>

namespace nearfar {

/// The finest tolerance and the highest order in this precision.
template <class T>
double finest_fmm_tolerance() noexcept;
template <class T>
int highest_fmm_order() noexcept;

/// Edges of a periodic cell by the longest: those of all boxes of its tree. 1, 1, 1 in free space.
std::array<double, 3> cell_aspect(FmmOptions const& options) noexcept;

/// The largest ratio of the distances of a source and of a target from the centres of their boxes, added, to the
/// distance of the centres, for boxes that are not near: expansions converge below 1 (fmm.md, Sec. 2).
double worst_ratio(FmmOptions const& options, int separation) noexcept;

/// Whether that ratio is among those that fmm_error was measured for.
bool converges(FmmOptions const& options, int separation) noexcept;

/// Expected relative l2 error of a sum over points with random charges of both signs, the harder case for potentials;
/// the larger one of potential and gradient where there is one (fmm.md, Sec. 1.7, and measured beyond its tables).
double fmm_error(FmmOptions const& options, int order, int separation);

/// By how much errors grow where leaves hold fewer points than those of the tables: the near part is then less of the
/// sum.
double sparse_leaves(double crowd) noexcept;

/// By how much relative errors of what falls like 1 / r^2 grow where there are fewer targets than in the tables: the
/// norm is that of the few that lie close to a source.
double few_targets(FmmOptions const& options, double targets) noexcept;

/// The same where few of the sources carry the sum, as many as `carriers` equal ones: 1 where those are no small part.
double few_sources(FmmOptions const& options, double carriers, double sources) noexcept;

/// The least order that reaches the tolerance; 0 if none does.
template <class T>
int order_for(FmmOptions const& options, int separation);

}  // namespace nearfar
