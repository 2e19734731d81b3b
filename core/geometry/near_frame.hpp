// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/cells.hpp"
#include "core/math/floating_point.hpp"

#include <cmath>

namespace nearfar {

/// The origin of coordinates in the near part, whose differences may be of points closer than coordinates
/// are rounded, on both sides of a periodic face. Along periodic directions the cells therefore begin
/// somewhat before the face, and points in those first cells have negative coordinates: the difference of
/// two points close across the face is one of two small numbers, and no digit of the caller's is lost.
/// They begin just beyond the middle, where adding the edge changes no digit either (Sterbenz's lemma). Rows of a
/// skewed box shift all coordinates, so there digits are kept of the points that are given in the box, and all cells
/// follow it.
NEARFAR_FUNCTION int cells_before_face(Cells const& c, int d) {
  return c.periodic[d] && c.count[d] > 2 && !c.skewed ? (c.count[d] - 1) / 2 : 0;
}
/// The fewest cells along a periodic direction that allow this.
inline constexpr int min_periodic_cells = 3;

/// The coordinate of the first face of the first cell: the origin that `Cells` counts from.
NEARFAR_FUNCTION double first_face(Cells const& c, int d) { return -c.edge[d] * cells_before_face(c, d) / c.count[d]; }

/// Stores the edges rounded to T: subtracting these from a nearby T is exact.
template <class T>
void set_faces(Cells& c) {
  for (int d = 0; d < 3; ++d) c.face[d] = c.skewed ? c.edge[d] : rounded_to<T>(c.edge[d]);
}

/// Where the edge is not representable in T, coordinates in the first cells have the rounded edge subtracted,
/// and so do not quite continue those of the next cells. These two groups of cells are not summed together.
NEARFAR_FUNCTION int apart_cells(Cells const& c, int d) { return c.face[d] == c.edge[d] ? 0 : cells_before_face(c, d); }
NEARFAR_FUNCTION int is_apart(Cells const& c, int d, int cell) { return cell < apart_cells(c, d) ? 1 : 0; }

/// The shift to add to coordinates of sources in a cell with unwrapped number `at` and
/// wrapped number `cell` so that they are in the coordinates of targets in the cell `target`.
NEARFAR_FUNCTION double near_shift(Cells const& c, int d, int target, int at, int cell) {
  return (at == cell ? 0 : (at - cell) / c.count[d]) * c.edge[d] +
         (is_apart(c, d, cell) - is_apart(c, d, target)) * (c.face[d] - c.edge[d]);
}

/// The near-part coordinate of a point: the caller gave `given`; its image
/// in the box, counted from the first face, is `inside` and lies in `cell`.
template <class T>
NEARFAR_FUNCTION T near_coordinate(Cells const& c, int d, int cell, double given, double inside) {
  double const edge = c.edge[d], image = round((given - first_face(c, d) - inside) / edge);
  return T(fma(-image, edge, given) + is_apart(c, d, cell) * (edge - c.face[d]));
}

/// The offset to subtract from all coordinates along a free direction, which range from `low` to `high`, so that
/// none is much larger than their spread and no digit is lost. It has few digits, and is 0 wherever that suffices.
inline double near_origin(double low, double high) {
  double const farthest = std::fmax(std::fabs(low), std::fabs(high));
  if (!(farthest > 4 * (high - low))) return 0;
  double const unit = std::ldexp(1, std::ilogb(farthest) - 20);
  return high > low ? unit * std::floor(low / unit) : low;
}

}  // namespace nearfar
