// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/fmm/job.hpp"
#include "tasks/fmm/stages.hpp"

#include <memory>
#include <optional>

namespace nearfar::detail {

/// The fraction of the seconds of solves that checks may take.
inline constexpr double share_of_solve = 0.015;

/// Points that this rank gives, wherever their rows are.
template <class T>
struct RowsInRoot {
  PointsInRoot<T> root;
  GivenArrays<T const> rows;
};

/// Coordinates of some of the points of all ranks.
template <class T>
struct PlacedRows {
  std::vector<T> near, relative;  ///< as PointsInRoot::place has them
};

/// Places the points with these numbers, in ascending order. Collective.
template <class T>
PlacedRows<T> placed(std::span<std::uint32_t const> numbers, RowsInRoot<T> const& given, Ranks const& ranks);

/// A sample of targets, as large as a small part of the time of a solve allows (`seconds` of one CPU
/// worker, of which `pair` for each pair). Each of the `ranks` sums the contributions of its own sources.
template <class T>
std::shared_ptr<CheckSample<T>> make_sample(FmmPointSet<T> const& points, RowsInRoot<T> const& targets, double seconds,
                                            double pair, Ranks const& ranks);

/// The sums at a solve's sample, pair by pair: everything except what the lattice of a
/// periodic cell adds. With several ranks, each has the contributions of its own sources.
using CheckedSums = std::shared_ptr<std::vector<double>>;

/// Inserts check -> check_sum: beside the solve, of which they only
/// need the strengths, and in a periodic cell the root's local.
template <class T>
void build_check(Graph& graph, FmmJob<T> const& job, FmmStages const& stages, FmmOptions const& options,
                 CheckedSums const& sums);

/// What a finer plan takes instead of what its options would give, and pairs in double precision unless they are asked
/// for in single.
struct FinerPlan {
  int order, separation;
  double error = 0;  ///< that is expected of it
};

/// The next finer plan after one with the error `error`: a higher order, or boxes that are better separated if there is
/// none or the last higher order was in vain. None if there is no finer plan.
template <class T>
std::optional<FinerPlan> finer_plan(FmmOptions const& options, FmmPlanning const& parameters, double error,
                                    bool order_in_vain = false);

/// The same for strengths that are expected to have errors larger by this
/// factor than the plan assumes. None if it reaches the tolerance all the same.
template <class T>
std::optional<FinerPlan> plan_for_few(FmmOptions const& options, FmmPlanning const& parameters, double factor);

}  // namespace nearfar::detail
