// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/frame.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace nearfar {

/// Places points of the caller's rows some at a time, in loops that compilers make vectors of: with the bits of
/// place_point and place_point_near, by which those are placed that are not within a box of the box.
template <class T>
class Placer {
 public:
  static constexpr int most = 64;  ///< points at a time
  using Along = std::array<T*, 3>;

  explicit Placer(Frame const& frame) : frame_(frame) {}

  /// `count` points, row(i) being where the coordinates of point i are. Returns the first that has no place, or
  /// `count`. `near` may be null.
  template <class Row>
  int place(int count, Row const& row, Along const& x, Along const& near) {
    if (frame_.cells.skewed) return place_skewed(count, row, x, near);
    for (int i = 0; i < count; ++i) {
      T const* const at = row(i);
      for (std::size_t d = 0; d < 3; ++d) given_[d][i] = frame_.unit.ours(double(at[frame_.axes[d]]));
    }
    if (place_all(count, x) && (near[0] == nullptr || place_all_near(count, x, near))) return count;
    for (int i = 0; i < count; ++i) {
      T placed[3], as_near[3];
      if (!place_point(frame_, row(i), placed)) return i;
      place_point_near(frame_, row(i), placed, as_near);
      for (std::size_t d = 0; d < 3; ++d) {
        x[d][i] = placed[d];
        if (near[d] != nullptr) near[d][i] = as_near[d];
      }
    }
    return count;
  }

  /// The cells of points that are placed, along each direction.
  void cells(int count, Along const& x, std::int32_t (&cell)[3][most]) const {
    for (std::size_t d = 0; d < 3; ++d) {
      double const edge = frame_.cells.edge[d], cells = frame_.cells.count[d];
      std::int32_t const last = frame_.cells.count[d] - 1;
      for (int i = 0; i < count; ++i) cell[d][i] = std::min(std::int32_t(double(x[d][i]) / edge * cells), last);
    }
  }

 private:
  template <class Row>
  int place_skewed(int count, Row const& row, Along const& x, Along const& near) const {
    for (int i = 0; i < count; ++i) {
      T placed[3], as_near[3];
      if (!place_point_skewed(frame_, row(i), placed, near[0] != nullptr ? as_near : nullptr)) return i;
      for (std::size_t d = 0; d < 3; ++d) {
        x[d][i] = placed[d];
        if (near[d] != nullptr) near[d][i] = as_near[d];
      }
    }
    return count;
  }

  /// Whether all are in the box, or where it repeats within a box of it, and placed by no more than one edge.
  bool place_all(int count, Along const& x) const {
    double outside[most], inside[most];
    std::fill_n(outside, count, 0.0);
    for (std::size_t d = 0; d < 3; ++d) {
      double const edge = frame_.cells.edge[d], origin = frame_.origin[d];
      double const* const given = given_[d];
      if (!frame_.cells.periodic[d]) {
        for (int i = 0; i < count; ++i) inside[i] = given[i] - origin;
        for (int i = 0; i < count; ++i) outside[i] = ((inside[i] >= 0) & (inside[i] <= edge)) ? outside[i] : 1.0;
        for (int i = 0; i < count; ++i) x[d][i] = T(inside[i]);
        continue;
      }
      for (int i = 0; i < count; ++i) {
        double const x0 = given[i], after = x0 - edge, forward = after >= 0 ? after : x0,
                     image = x0 < 0 ? x0 + edge : forward, here = (image < edge ? image : 0.0) - origin,
                     before = here - edge;
        inside[i] = before >= 0 ? before : here;
      }
      for (int i = 0; i < count; ++i) {
        T const rounded = T(inside[i]);
        x[d][i] = double(rounded) < edge ? rounded : T(0);
      }
      for (int i = 0; i < count; ++i) {
        double const away = given[i] - origin - double(x[d][i]);
        outside[i] = ((away > -0.5 * edge) & (away < 1.5 * edge) & (x[d][i] >= T(0))) ? outside[i] : 1.0;
      }
    }
    return std::all_of(outside, outside + count, [](double o) { return o == 0; });
  }

  /// The same as the near part counts them, after place_all. False where T does not have the edge.
  bool place_all_near(int count, Along const& x, Along const& near) const {
    double shift[most];
    for (std::size_t d = 0; d < 3; ++d) {
      double const edge = frame_.cells.edge[d], origin = frame_.origin[d], near_origin = frame_.near_origin[d];
      double const* const given = given_[d];
      if (!frame_.cells.periodic[d]) {
        for (int i = 0; i < count; ++i) near[d][i] = T(given[i] - near_origin);
        continue;
      }
      if (frame_.cells.face[d] != edge) return false;
      double const half = 0.5 * edge;
      for (int i = 0; i < count; ++i) shift[i] = given[i] - origin - double(x[d][i]) > half ? edge : 0.0;
      for (int i = 0; i < count; ++i) near[d][i] = T(given[i] - shift[i]);
    }
    return true;
  }

  Frame frame_;  // a copy, which nothing that is written can change
  double given_[3][most];
};

}  // namespace nearfar
