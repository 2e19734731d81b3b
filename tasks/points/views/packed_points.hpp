// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/bulk_memory.hpp"
#include "tasks/engine/gpu_workers.hpp"
#include "tasks/nodes/ranks.hpp"

#include <nearfar/kernel.hpp>
#include <nearfar/rows.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace nearfar::detail {

/// Where points may be: by the caller's axes. Along a free direction an edge of 0 follows from the points.
struct Region {
  Periodicity periodicity;
  std::array<double, 3> box;
  bool as_given;  ///< points keep their distance in periods: sums depend on it
  std::optional<std::array<std::array<double, 3>, 3>> cell{};  ///< if skewed: the rows are the periods
};

/// Sources and targets as views: a rank that gives rows does what ranks that give views do, since each message needs
/// all of them. Throws Error{bad_input} unless rows make up whole points. Collective, like expect_views.
template <class T>
std::pair<RowsIn, RowsIn> views_of(Ranks const& ranks, OnHost<T> const& sources, OnHost<T> const& targets);

/// Throws Error{bad_input} unless views have a column for each direction. `targets` is null if they are the sources.
void expect_views(Ranks const& ranks, RowsIn const& sources, RowsIn const* targets);

/// Points from the caller's views, row after row. What comes in double precision becomes single only relative to an
/// offset that is common to all points, so that coordinates keep their digits wherever the points are: along open
/// directions it is the least coordinate, along periodic ones a whole number of periods. Nothing is subtracted from
/// points in double precision.
template <class T>
struct PackedPoints {
  std::span<T const> sources, targets;  ///< the caller's memory, or copies
  BulkVector<T> copies[2];
  std::array<double, 3> offset{};  ///< already subtracted
  /// Root mean square of what rounding to T moves a source, relative to the distance of its nearest neighbour: of a
  /// sample, over all ranks; 0 if nothing is rounded.
  double rounding = 0;
};

/// Views are those of expect_views or views_of; `offset` is that of earlier points that these must fit. Collective.
template <class T>
PackedPoints<T> packed_points(Ranks const& ranks, Region const& region, RowsIn const& sources,
                              RowsIn const* targets = nullptr, std::optional<std::array<double, 3>> const& offset = {});

/// The relative error of sums over that many sources where rounding moves them so, relative to their nearest
/// neighbours: of fields that fall off as 1 / r these are a small part, of others nearly all.
double error_of_rounding(Kernel kernel, Outputs outputs, std::size_t sources, double rounding) noexcept;

}  // namespace nearfar::detail
