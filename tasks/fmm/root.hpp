// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/length_unit.hpp"
#include "core/tree/tree.hpp"
#include "tasks/nodes/ranks.hpp"
#include "tasks/points/placement.hpp"

#include <nearfar/fmm.hpp>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// The root box: the periodic cell, or the least cube around the points. Lengths are in our unit, which it decides.
struct FmmRoot {
  std::array<double, 3> centre{};
  double half = 0.5;  ///< half its longest edge
  std::array<double, 3> aspect{1, 1, 1};
  LengthUnit unit{};
};

/// Points that this rank gives.
template <class T>
struct GivenPoints {
  std::span<T const> rows;
  std::size_t first = 0;  ///< number of the first among those of all ranks
};

/// The root of the points of all ranks. Throws Error{bad_input} for coordinates that are not finite, or outside a box
/// that was given. Collective.
template <class T>
FmmRoot root_of(FmmOptions const& options, Ranks const& ranks, GivenPoints<T> const& sources,
                GivenPoints<T> const& targets, Loop const& loop);

/// A root `factor` times as long with the same lowest corner.
FmmRoot stretched(FmmRoot root, double factor);

/// The caller's points as the tree has them: in the root and in its unit, wrapped into it where it is periodic.
template <class T>
class PointsInRoot {
 public:
  /// The rows outlive this.
  PointsInRoot(FmmOptions const& options, FmmRoot const& root, GivenPoints<T> const& given, char const* what);
  PointsInRoot(FmmOptions const& options, FmmRoot const& root, std::span<T const> rows, char const* what)
      : PointsInRoot(options, root, GivenPoints<T>{rows}, what) {}

  std::size_t size() const noexcept { return given_.rows.size() / 3; }
  std::size_t first() const noexcept { return given_.first; }
  T const* row(std::size_t point) const noexcept { return &given_.rows[3 * point]; }
  FmmRoot const& root() const noexcept { return root_; }

  /// One point relative to the centre of the root, and for differences of points, which that would round
  /// (core/geometry/near_frame.hpp).
  void place(std::size_t point, T relative[3], T near[3]) const {
    place_row(row(point), given_.first + point, relative, near);
  }
  /// The same of a point that some rank gives, with its number among those of all.
  void place_row(T const* row, std::size_t number, T relative[3], T near[3]) const {
    T x[3] = {};
    if (periodic_ && !place_point(frame_, row, x)) detail::place(frame_, row, what_, number);  // throws
    for (std::size_t d = 0; d < 3; ++d) {
      double const at = periodic_ ? double(x[d]) : root_.unit.ours(double(row[d]));
      relative[d] = T(at - root_.centre[d]);
      near[d] = T(at - near_origin_[d]);
    }
  }
  /// A point that will be asked for soon.
  void fetch(std::size_t point) const noexcept {
    __builtin_prefetch(row(point));
    __builtin_prefetch(row(point) + 2);
  }
  std::array<double, 3> const& near_origin() const noexcept { return near_origin_; }
  /// By which blocks of points tell where one is.
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

  /// Of what points are relative to: with its centre at 0, and no tree in it yet.
  TreeShape shape() const { return {.half = root_.half, .periodic = periodic_, .aspect = root_.aspect}; }
  /// Keys on a level of the root.
  BulkVector<MortonKey> keys(int level, Loop const& loop) const;

 private:
  FmmRoot root_;
  Frame frame_;
  std::array<double, 3> near_origin_{};
  bool periodic_;
  GivenPoints<T> given_;
  char const* what_;
};

/// Points in a root by their keys, in the order of a tree.
template <class T>
class SortedPoints {
 public:
  /// Keys will be of level `level` at most. Where ranks are connected, all get the keys of all. Collective.
  SortedPoints(Ranks const& ranks, PointsInRoot<T> const& points, int level, Loop const& loop);

  PointsInRoot<T> const& points() const noexcept { return points_; }
  /// Of all points, of this level or a deeper one. Of connected ranks without numbers.
  SortedKeys const& keys(int level);
  /// The same of the deepest level, for the last time.
  SortedKeys take_keys();
  /// Of connected ranks, of the deepest level: those of the points that this one gives.
  SortedKeys take_own() { return std::move(own_); }

 private:
  PointsInRoot<T> points_;
  int level_;
  Loop loop_;
  bool connected_;
  SortedKeys own_, all_;
};

}  // namespace nearfar::detail
