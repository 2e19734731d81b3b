// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/fmm/job.hpp"
#include "tasks/fmm/stages.hpp"

#include <memory>
#include <optional>

namespace nearfar::detail {

/// What checks may take of the seconds of solves.
inline constexpr double share_of_solve = 0.015;

/// A sample of targets, as large as a small part of the time of a solve (`seconds` of one CPU worker, `pair` of them
/// for each pair) has room for. Each of the `ranks` sums what its own sources give it.
template <class T>
std::shared_ptr<CheckSample<T>> make_sample(FmmPointSet<T> const& points, PointsInRoot<T> const& targets,
                                            double seconds, double pair, Ranks const& ranks);

/// What the sample of a solve gets pair by pair: all of it but what the lattice of a periodic cell sums. Of several
/// ranks each has what its own sources give.
using CheckedSums = std::shared_ptr<std::vector<double>>;

/// check -> check_sum: beside the solve, of which it needs no more than the strengths, and in a periodic cell the
/// root's local.
template <class T>
void build_check(Graph& graph, FmmJob<T> const& job, FmmStages const& stages, FmmOptions const& options,
                 CheckedSums const& sums);

/// The next finer plan for one whose error was `error`: a higher order, or with none left boxes that are better
/// separated. None if there is none.
template <class T>
std::optional<FmmChoice> finer_choice(FmmOptions const& options, FmmParameters const& parameters, double error);

/// The same for strengths with which errors are expected to be so many times those that the plan counts on. None if it
/// reaches the tolerance all the same.
template <class T>
std::optional<FmmChoice> choice_for_few(FmmOptions const& options, FmmParameters const& parameters, double factor);

}  // namespace nearfar::detail
