// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/length_unit.hpp"
#include "core/tree/tree.hpp"
#include "tasks/points/placement.hpp"

#include <nearfar/fmm.hpp>

#include <span>
#include <vector>

namespace nearfar::detail {

/// The root box: the periodic cell, or the least cube around the points. Lengths are in our unit, which it decides.
struct FmmRoot {
  std::array<double, 3> centre{};
  double half = 0.5;  ///< half its longest edge
  std::array<double, 3> aspect{1, 1, 1};
  LengthUnit unit{};
};

/// Throws Error{bad_input} for coordinates that are not finite, or outside a box that was given.
template <class T>
FmmRoot root_of(FmmOptions const& options, std::span<T const> sources, std::span<T const> targets, Loop const& loop);

/// A root `factor` times as long with the same lowest corner.
FmmRoot stretched(FmmRoot root, double factor);

/// The caller's points as the tree has them: in the root and in its unit, wrapped into it where it is periodic.
template <class T>
class PointsInRoot {
 public:
  /// `rows` outlive this.
  PointsInRoot(FmmOptions const& options, FmmRoot const& root, std::span<T const> rows, char const* what);

  std::size_t size() const noexcept { return rows_.size() / 3; }
  FmmRoot const& root() const noexcept { return root_; }

  /// One point relative to the centre of the root, and for differences of points, which that would round
  /// (core/geometry/near_frame.hpp).
  void place(std::size_t point, T relative[3], T near[3]) const {
    T const* const row = &rows_[3 * point];
    T x[3] = {};
    if (periodic_ && !place_point(frame_, row, x)) detail::place(frame_, row, what_, point);  // throws
    for (std::size_t d = 0; d < 3; ++d) {
      double const at = periodic_ ? double(x[d]) : root_.unit.ours(double(row[d]));
      relative[d] = T(at - root_.centre[d]);
      near[d] = T(at - near_origin_[d]);
    }
  }
  /// A point that will be asked for soon.
  void fetch(std::size_t point) const noexcept {
    __builtin_prefetch(&rows_[3 * point]);
    __builtin_prefetch(&rows_[3 * point + 2]);
  }
  std::array<double, 3> const& near_origin() const noexcept { return near_origin_; }
  /// Whether both forms differ.
  bool has_near() const noexcept { return near_origin_ != root_.centre; }

  /// Keys on a level of the root.
  BulkVector<MortonKey> keys(TreeShape const& shape, int level, Loop const& loop) const;

 private:
  FmmRoot root_;
  Frame frame_;
  std::array<double, 3> near_origin_{};
  bool periodic_;
  std::span<T const> rows_;
  char const* what_;
};

}  // namespace nearfar::detail
