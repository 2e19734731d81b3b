// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/frame.hpp"

namespace nearfar {

/// Where the caller's points are in a root: relative to its centre and in its unit, wrapped into it if it is periodic;
/// and in coordinates for differences of points, which the former would round (core/geometry/near_frame.hpp).
struct RootPlace {
  Frame frame;  ///< the region where points are allowed, by which points of a periodic root are wrapped
  bool periodic = false;
  double centre[3] = {}, near_origin[3] = {};

  /// False, and no place, for a point that its periodic root cannot hold.
  template <class T>
  NEARFAR_FUNCTION bool operator()(T const* row, T relative[3], T near[3]) const {
    T x[3] = {};
    if (periodic && !place_point(frame, row, x)) return false;
    for (int d = 0; d < 3; ++d) {
      double const at = periodic ? double(x[d]) : frame.unit.ours(double(row[d]));
      relative[d] = T(at - centre[d]);
      near[d] = T(at - near_origin[d]);
    }
    return true;
  }
};

}  // namespace nearfar
