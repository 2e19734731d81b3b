// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/length_unit.hpp"
#include "core/tree/root_place.hpp"
#include "core/tree/tree.hpp"
#include "tasks/nodes/ranks.hpp"
#include "tasks/points/extent.hpp"
#include "tasks/points/placement.hpp"

#include <nearfar/fmm.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// The root box: the periodic cell, or the smallest cube around the points. Lengths are in our unit, which it decides.
struct FmmRoot {
  std::array<double, 3> centre{};
  double half = 0.5;  ///< half its longest edge
  std::array<double, 3> aspect{1, 1, 1};
  LengthUnit unit{};
};

/// Margin around points that have left the root of a tree, relative to their extent, so that not every step needs a new
/// one.
inline constexpr double room_for_steps = 0.05;

/// The points that this rank gives.
template <class T>
struct GivenPoints {
  std::span<T const> rows;
  std::size_t first = 0;  ///< number of the first one among those of all ranks
};

/// The root for the points of all ranks. Throws Error{bad_input} for
/// coordinates that are not finite, or outside a given box. Collective.
template <class T>
FmmRoot root_of(FmmOptions const& options, Ranks const& ranks, GivenPoints<T> const& sources,
                GivenPoints<T> const& targets, Loop const& loop);

/// The same for points of this extent, wherever they are; none if some are to be refused.
template <class T>
std::optional<FmmRoot> root_in(FmmOptions const& options, Extent const& extent);

/// A root `factor` times as long with the same lower corner.
FmmRoot stretched(FmmRoot root, double factor);

/// The caller's points as the tree has them: relative to the root and in its unit, wrapped into it if it is periodic.
template <class T>
class PointsInRoot {
 public:
  /// The rows outlive this.
  PointsInRoot(FmmOptions const& options, FmmRoot const& root, GivenPoints<T> const& given, char const* what);
  PointsInRoot(FmmOptions const& options, FmmRoot const& root, std::span<T const> rows, char const* what)
      : PointsInRoot(options, root, GivenPoints<T>{rows}, what) {}

  std::size_t size() const noexcept { return given_.rows.size() / 3; }
  std::size_t first() const noexcept { return given_.first; }
  std::span<T const> rows() const noexcept { return given_.rows; }
  T const* row(std::size_t point) const noexcept { return &given_.rows[3 * point]; }
  FmmRoot const& root() const noexcept { return root_; }
  RootPlace const& placing() const noexcept { return place_; }

  /// One point relative to the centre of the root, and in coordinates for differences
  /// of points, which the former would round (core/geometry/near_frame.hpp).
  void place(std::size_t point, T relative[3], T near[3]) const {
    place_row(row(point), given_.first + point, relative, near);
  }
  /// The same for a point that some rank gives, with its number among those of all.
  void place_row(T const* row, std::size_t number, T relative[3], T near[3]) const {
    if (!place_(row, relative, near)) detail::place(place_.frame, row, what_, number);  // throws
  }
  /// Prefetches a point that will be needed soon.
  void fetch(std::size_t point) const noexcept {
    __builtin_prefetch(row(point));
    __builtin_prefetch(row(point) + 2);
  }
  std::array<double, 3> const& near_origin() const noexcept { return near_origin_; }
  /// The frame by which blocks of points tell where one is.
  Frame frame() const {
    Frame frame;
    std::fill_n(frame.cells.periodic, 3, false);
    frame.origin = root_.centre;
    frame.near_origin = near_origin_;
    frame.unit = root_.unit;
    return frame;
  }
  /// Whether both forms differ.
  bool has_near() const noexcept { return near_origin_ != root_.centre; }

  /// The shape to which points are relative: centred at 0, without a tree.
  TreeShape shape() const { return {.half = root_.half, .periodic = place_.periodic, .aspect = root_.aspect}; }
  /// Keys on a level of the root.
  BulkVector<MortonKey> keys(int level, Loop const& loop) const;

 private:
  FmmRoot root_;
  RootPlace place_;
  std::array<double, 3> near_origin_{};
  GivenPoints<T> given_;
  char const* what_;
};

/// Points in a root by their keys, in the order of a tree.
template <class T>
class SortedPoints {
 public:
  /// Keys will be of level `level` at most. With connected ranks, all get the keys of all points. Collective.
  SortedPoints(Ranks const& ranks, PointsInRoot<T> const& points, int level, Loop const& loop);

  PointsInRoot<T> const& points() const noexcept { return points_; }
  /// Keys of all points, of this level or deeper. With connected ranks without numbers.
  SortedKeys const& keys(int level);
  /// The keys of the deepest level; to be called last.
  SortedKeys take_keys();
  /// With connected ranks, of the deepest level: those of the points that this one gives.
  SortedKeys take_own() { return std::move(own_); }

 private:
  PointsInRoot<T> points_;
  int level_;
  Loop loop_;
  bool connected_;
  SortedKeys own_, all_;
};

}  // namespace nearfar::detail
