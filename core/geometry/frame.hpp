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

/// Where the cells are in the caller's space. Lengths are in our unit.
struct Frame {
  Cells cells;
  Axes axes{0, 1, 2};
  std::array<double, 3> origin{};  ///< of the cells, by our axes
  LengthUnit unit{};
  std::array<double, 3> near_origin{};  ///< of free directions for the near part (core/geometry/near_frame.hpp)
};

/// `value` or 0, without a branch.
NEARFAR_FUNCTION double if_true(bool condition, double value) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return condition ? value : 0;
#else
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & -std::uint64_t(condition));
#endif
}

/// Into [0, edge), also where rounding would give the edge itself. Points are usually within an edge of there, on
/// either side as often as not, so that a branch would be guessed wrongly.
template <class T>
NEARFAR_FUNCTION T wrapped(double x, double edge) {
  T const y = T(x >= 0 && x < 2 * edge ? x - if_true(x >= edge, edge) : x - edge * floor(x / edge));
  return double(y) < edge && y >= 0 ? y : T(0);
}

/// A point of the caller's rows in the box, in our unit; wrapped into [0, edge) along directions that repeat. False,
/// and no point, for a coordinate that is not finite, outside the box in a direction that does not repeat, or so far
/// from it that its place is lost.
template <class T>
NEARFAR_FUNCTION bool place_point(Frame const& frame, T const* row, T x[3]) {
  for (std::size_t d = 0; d < 3; ++d) {
    double const edge = frame.cells.edge[d];
    T const value = row[frame.axes[d]];
    if (!(value - value == T(0))) return false;  // not finite
    double const given = frame.unit.ours(double(value)), inside = given - frame.origin[d];
    if (frame.cells.periodic[d] ? !(T(given) - T(given) == T(0)) : !(inside >= 0 && inside <= edge)) return false;
    x[d] = frame.cells.periodic[d] ? wrapped<T>(inside, edge) : T(inside);
  }
  return true;
}

/// The same point as the near part counts it (core/geometry/near_frame.hpp); `placed` is what place_point said.
template <class T>
NEARFAR_FUNCTION void place_point_near(Frame const& frame, T const* row, T const placed[3], T near[3]) {
  Cells const& cells = frame.cells;
  for (std::size_t d = 0; d < 3; ++d) {
    double const given = frame.unit.ours(double(row[frame.axes[d]])), wrapped = double(placed[d]);
    int const axis = int(d);
    if (!cells.periodic[d]) {
      near[d] = T(given - frame.near_origin[d]);
      continue;
    }
    // Usually the box and its image beyond the first face, where that is all there is to near_coordinate.
    double const edge = cells.edge[d], away = given - frame.origin[d] - wrapped;
    bool const plain = cells.face[d] == edge && away > -0.5 * edge && away < 1.5 * edge;
    near[d] = plain ? T(given - if_true(away > 0.5 * edge, edge))
                    : near_coordinate<T>(cells, axis, cells.cell(axis, wrapped), given, wrapped);
  }
}

}  // namespace nearfar
