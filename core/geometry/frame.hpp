// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/axes.hpp"
#include "core/geometry/cells.hpp"
#include "core/geometry/length_unit.hpp"
#include "core/geometry/near_frame.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace nearfar {

/// Where the cells lie in the caller's space. Lengths are in our unit.
struct Frame {
  Cells cells;
  Axes axes{0, 1, 2};
  std::array<double, 3> origin{};  ///< of the cells, by our axes
  LengthUnit unit{};
  std::array<double, 3> near_origin{};  ///< along free directions, for the near part (core/geometry/near_frame.hpp)
  double along[3][3] = {};  ///< in a skewed box: what a position is multiplied by for its place along each row
};

/// `value` or 0, without a branch.
NEARFAR_FUNCTION double if_true(bool condition, double value) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return condition ? value : 0;
#else
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & -std::uint64_t(condition));
#endif
}

/// What is left of x beside a whole number of edges, in [0, edge]. The multiple of the edge is not rounded. The number
/// may be one too large or too small, as x / edge is rounded: then an edge is added or taken off.
NEARFAR_FUNCTION double beside_edges(double x, double edge) {
  double const left = fma(-floor(x / edge), edge, x);
  return left + if_true(left < 0, edge) - if_true(left >= edge, edge);
}

/// Wraps into [0, edge), even where rounding would give the edge itself. Without branches: points are
/// usually within one edge of the box, on either side equally often, so branches would be mispredicted.
template <class T>
NEARFAR_FUNCTION T wrapped(double x, double edge) {
  T const y =
      T(x >= -edge && x < 2 * edge ? x + if_true(x < 0, edge) - if_true(x >= edge, edge) : beside_edges(x, edge));
  return double(y) < edge && y >= 0 ? y : T(0);
}

/// Where a coordinate along a direction that repeats is placed, in [0, edge) from the origin of the cells, which is at
/// most an edge before the box. It is wrapped before the origin is taken off, which rounds: so points that are whole
/// edges apart have one place.
template <class T>
NEARFAR_FUNCTION T place_along(double given, double origin, double edge) {
  double const inside = wrapped<double>(given, edge) - origin;
  T const y = T(inside - if_true(inside >= edge, edge));
  return double(y) < edge ? y : T(0);
}

/// Takes a product off a number whose lost digits `rest` keeps. Products and differences are not contracted by
/// compilers where they are written as such calls.
NEARFAR_FUNCTION void take_off(double a, double b, double& number, double& rest) {
  double const product = a * b, below = fma(a, b, -product), left = fma(-1.0, product, number),
               taken = fma(-1.0, left, number), kept = left + taken;
  rest += fma(-1.0, kept, number) + fma(-1.0, product, taken) - below;
  number = left;
}

/// A position in our unit, by our axes, and its places along the rows of a skewed box.
NEARFAR_FUNCTION void places_along_rows(Frame const& frame, double const* x, double* along) {
  for (int d = 0; d < 3; ++d) along[d] = frame.cells.periodic[d] ? dot(frame.along[d], x) : x[d];
}

/// A position in a skewed box, less whole rows of it: with the digits that its numbers have lost, and its places along
/// the rows.
struct PlaceInRows {
  double at[3], rest[3] = {}, along[3];

  NEARFAR_FUNCTION double number(int c) const { return at[c] + rest[c]; }
  NEARFAR_FUNCTION void take_rows(Frame const& frame, int d, double rows) {
    for (int c = 0; c < 3; ++c) take_off(rows, frame.cells.row[d][c], at[c], rest[c]);
    double const now[3] = {number(0), number(1), number(2)};
    places_along_rows(frame, now, along);
  }
};

/// Takes whole rows off a position until it is in the box. What is so close below an upper face that rounding may have
/// put it there, or that T places it beyond, counts as on the lower one, from where it may be as little outside: so
/// points that are whole rows apart have one place.
template <class T>
NEARFAR_FUNCTION void put_into_box(Frame const& frame, PlaceInRows& p) {
  constexpr double on_face = 1e-14;
  for (int round = 0; round < 3; ++round)  // rows change places along the others by rounding, those of far points more
    for (int d = 0; d < 3; ++d) {
      double const edge = frame.cells.edge[d];
      auto const is_below_face = [&] { return p.along[d] <= (1 - on_face) * edge && double(T(p.along[d])) < edge; };
      if (!frame.cells.periodic[d] || (p.along[d] >= 0 && is_below_face())) continue;
      p.take_rows(frame, d, floor(p.along[d] / edge));
      if (p.along[d] < 0) p.take_rows(frame, d, -1);
      if (!is_below_face()) p.take_rows(frame, d, 1);
    }
}

/// Places a point in a skewed box like place_point, and, unless null, in the near part: there it is as given, but for
/// whole rows, because distances are those of Cartesian coordinates. Far from the box the digits of a position are few,
/// and those that rows of three directions leave are all kept.
template <class T>
NEARFAR_FUNCTION bool place_point_skewed(Frame const& frame, T const* row, T x[3], T* near) {
  Cells const& cells = frame.cells;
  PlaceInRows p;
  for (int d = 0; d < 3; ++d) {
    T const value = row[frame.axes[std::size_t(d)]];
    if (!(value - value == T(0))) return false;  // not finite
    p.at[d] = frame.unit.ours(double(value));
    if (!(T(p.at[d]) - T(p.at[d]) == T(0))) return false;
  }
  places_along_rows(frame, p.at, p.along);
  put_into_box<T>(frame, p);
  for (int d = 0; d < 3; ++d) {
    double const edge = cells.edge[d], inside = p.along[d] - frame.origin[std::size_t(d)];
    if (cells.periodic[d]) x[d] = T(p.along[d] > 0 && double(T(p.along[d])) < edge ? p.along[d] : 0);
    else if (inside >= 0 && inside <= edge) x[d] = T(inside);
    else return false;
    if (near != nullptr)
      near[d] = T((cells.periodic[d] ? p.at[d] : p.at[d] - frame.near_origin[std::size_t(d)]) + p.rest[d]);
  }
  return true;
}

/// Places a point of the caller's rows in the box, in our unit, wrapped into [0, edge) along
/// directions that repeat. Returns false, and no point, for a coordinate that is not finite, that lies
/// outside the box along a free direction, or that is so far away that wrapping would lose its place.
template <class T>
NEARFAR_FUNCTION bool place_point(Frame const& frame, T const* row, T x[3]) {
  if (frame.cells.skewed) return place_point_skewed<T>(frame, row, x, nullptr);
  for (std::size_t d = 0; d < 3; ++d) {
    double const edge = frame.cells.edge[d];
    T const value = row[frame.axes[d]];
    if (!(value - value == T(0))) return false;  // not finite
    double const given = frame.unit.ours(double(value)), inside = given - frame.origin[d];
    if (frame.cells.periodic[d] ? !(T(given) - T(given) == T(0)) : !(inside >= 0 && inside <= edge)) return false;
    x[d] = frame.cells.periodic[d] ? place_along<T>(given, frame.origin[d], edge) : T(inside);
  }
  return true;
}

/// The same point in the coordinates of the near part (near_frame.hpp); `placed` is what place_point gave.
template <class T>
NEARFAR_FUNCTION void place_point_near(Frame const& frame, T const* row, T const placed[3], T near[3]) {
  Cells const& cells = frame.cells;
  if (cells.skewed) {
    T again[3];
    place_point_skewed(frame, row, again, near);
    return;
  }
  for (std::size_t d = 0; d < 3; ++d) {
    double const given = frame.unit.ours(double(row[frame.axes[d]])), wrapped = double(placed[d]);
    int const axis = int(d);
    if (!cells.periodic[d]) {
      near[d] = T(given - frame.near_origin[d]);
      continue;
    }
    // The common case of near_coordinate: the point is in the box, or in its image just beyond the first face.
    double const edge = cells.edge[d], away = given - frame.origin[d] - wrapped;
    bool const plain = cells.face[d] == edge && away > -0.5 * edge && away < 1.5 * edge;
    near[d] = plain ? T(given - if_true(away > 0.5 * edge, edge))
                    : near_coordinate<T>(cells, axis, cells.cell(axis, wrapped), given, wrapped);
  }
}

}  // namespace nearfar
