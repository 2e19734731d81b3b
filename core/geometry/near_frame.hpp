// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/cells.hpp"

#include <cmath>

namespace nearfar {

/// Where the near part counts coordinates from: it takes differences of points that may be closer than coordinates are
/// rounded, on both sides of a periodic face. So the cells of a direction that repeats do not begin at the face but
/// somewhat before it, and the points of these first cells have negative coordinates: two points that are close across
/// the face are a difference of two small numbers, and no digit of what the caller gave is lost on either side of it.
/// Where the cells begin is just beyond the middle, so that adding the edge there changes no digit either (Sterbenz).
NEARFAR_FUNCTION int cells_before_face(Cells const& c, int d) {
  return c.periodic[d] && c.count[d] > 2 ? (c.count[d] - 1) / 2 : 0;
}
/// The fewest cells of a direction that repeats, for that.
inline constexpr int min_periodic_cells = 3;

/// Where the cells begin: the coordinate that `Cells` counts from.
NEARFAR_FUNCTION double first_face(Cells const& c, int d) { return -c.edge[d] * cells_before_face(c, d) / c.count[d]; }

/// Sets how long the edges are as T has them: subtracting that from a T near it is exact. Kept, since GCC 12 takes a
/// conversion to float and back for nothing where it makes vectors of them.
template <class T>
void set_faces(Cells& c) {
  for (int d = 0; d < 3; ++d) c.face[d] = double(T(c.edge[d]));
}

/// Where T does not have the edge, coordinates in the first cells are those that the caller gave less what T has of it,
/// and not quite continued in the next cells: these are not summed together.
NEARFAR_FUNCTION int apart_cells(Cells const& c, int d) { return c.face[d] == c.edge[d] ? 0 : cells_before_face(c, d); }
NEARFAR_FUNCTION int is_apart(Cells const& c, int d, int cell) { return cell < apart_cells(c, d) ? 1 : 0; }

/// What to add to coordinates of the sources in a cell of unwrapped number `at`, wrapped `cell`, for those that targets
/// in the cell `target` are counted by.
NEARFAR_FUNCTION double near_shift(Cells const& c, int d, int target, int at, int cell) {
  return (at - cell) / c.count[d] * c.edge[d] +
         (is_apart(c, d, cell) - is_apart(c, d, target)) * (c.face[d] - c.edge[d]);
}

/// The coordinate `given`, whose image `inside`, counted from the first face, lies in `cell`, as the near part counts
/// it.
template <class T>
NEARFAR_FUNCTION T near_coordinate(Cells const& c, int d, int cell, double given, double inside) {
  double const edge = c.edge[d], image = round((given - first_face(c, d) - inside) / edge);
  return T(fma(-image, edge, given) + is_apart(c, d, cell) * (edge - c.face[d]));
}

/// What to subtract from all coordinates of a free direction, given from `low` to `high`, so that they are not much
/// larger than that and no digit is lost: few digits, and 0 wherever that will do.
inline double near_origin(double low, double high) {
  double const farthest = std::fmax(std::fabs(low), std::fabs(high));
  if (!(farthest > 4 * (high - low))) return 0;
  double const unit = std::ldexp(1, std::ilogb(farthest) - 20);
  return high > low ? unit * std::floor(low / unit) : low;
}

}  // namespace nearfar
