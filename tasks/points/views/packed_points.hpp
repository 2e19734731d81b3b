// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/bulk_memory.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/nodes/ranks.hpp"
#include "tasks/points/views/moved_pairs.hpp"
#include "tasks/points/views/relative_rows.hpp"

#include <nearfar/kernel.hpp>
#include <nearfar/rows.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace nearfar::detail {

/// Sources and targets as views: a rank that gives rows does what ranks that give views do, since each message needs
/// all of them. Throws Error{bad_input} unless rows make up whole points. Collective, like expect_views.
template <class T>
std::pair<RowsIn, RowsIn> views_of(Ranks const& ranks, OnHost<T> const& sources, OnHost<T> const& targets);

/// Whether single precision loses digits of these points, or of their images, and what that does is to be looked for:
/// periods may be no floats, and points that are outside a periodic box are rounded in it. Points in GPU
/// memory are taken as they are.
template <class T>
bool needs_views(Region const& region, OnHost<T> const& points);

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
  std::array<double, 3> offset{};           ///< already subtracted
  std::shared_ptr<MovedPairs const> moved;  ///< by rounding to T; none if no rank's points are rounded
};

/// Views are those of expect_views or views_of; `loop` is over points; `offset` is that of earlier points that these
/// must fit. Collective.
template <class T>
PackedPoints<T> packed_points(Ranks const& ranks, Region const& region, Kernel kernel, Outputs outputs,
                              RowsIn const& sources, RowsIn const* targets, Loop const& loop,
                              std::optional<Offset> const& offset = {});

}  // namespace nearfar::detail
