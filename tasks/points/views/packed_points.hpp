// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/bulk_memory.hpp"
#include "tasks/nodes/ranks.hpp"

#include <nearfar/kernel.hpp>
#include <nearfar/rows.hpp>

#include <array>
#include <cstddef>
#include <optional>

namespace nearfar::detail {

/// Where points may be: by the caller's axes. Along a free direction an edge of 0 follows from the points.
struct Region {
  Periodicity periodicity;
  std::array<double, 3> box;
  bool as_given;  ///< points keep their distance in periods: sums depend on it
};

/// Points from the caller's views, row after row. What comes in double precision becomes single only relative to an
/// offset that is common to all points, so that coordinates keep their digits wherever the points are: along open
/// directions it is the least coordinate, along periodic ones a whole number of periods. Nothing is subtracted from
/// points in double precision.
template <class T>
struct PackedPoints {
  BulkVector<T> sources, targets;
  std::array<double, 3> offset{};  ///< already subtracted
  /// Root mean square of what rounding to T moves a source, relative to the distance of its nearest neighbour: of a
  /// sample, over all ranks; 0 if nothing is rounded.
  double rounding = 0;
};

/// `targets` is null if they are the sources; `offset` is that of earlier points that these must fit. Collective.
template <class T>
PackedPoints<T> packed_points(Ranks const& ranks, Region const& region, RowsIn const& sources,
                              RowsIn const* targets = nullptr, std::optional<std::array<double, 3>> const& offset = {});

/// The relative error of sums over that many sources where rounding moves them so, relative to their nearest
/// neighbours: of fields that fall off as 1 / r these are a small part, of others nearly all.
double error_of_rounding(Kernel kernel, Outputs outputs, std::size_t sources, double rounding) noexcept;

}  // namespace nearfar::detail
