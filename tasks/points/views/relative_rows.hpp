// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>
#include <nearfar/rows.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace nearfar::detail {

using Offset = std::array<double, 3>;

/// Where points may be: by the caller's axes. Along a free direction an edge of 0 follows from the points.
struct Region {
  Periodicity periodicity;
  std::array<double, 3> box;
  bool as_given;  ///< points keep their distance in periods: sums depend on it
  std::optional<std::array<std::array<double, 3>, 3>> cell{};  ///< if skewed: the rows are the periods
  bool from_faces = false;  ///< pairs use coordinates counted from the nearest face (core/geometry/near_frame.hpp)
};

/// The vector of a skewed cell's whole rows that is nearest below a point.
Offset whole_rows(Region const& region, double const* x);

/// Whether images are shifted by periods that single precision does not have: rows of a skewed cell, or edges across
/// whose faces digits are lost.
bool has_rounded_periods(Region const& region);

/// Whether a coordinate of a box that is not skewed loses digits where single precision places it in the box, if it
/// does not where points in the box do.
bool loses_digits(Region const& region, std::size_t d, float x);

/// What single precision adds to such a coordinate, or to one of a point of a skewed cell: by rounding it, and once
/// more by taking whole periods off it. The coordinate is one of RelativeRows. `whole`: that of the rows of a skewed
/// cell that are taken off the point.
double rounding_of(Region const& region, std::size_t d, double x, double whole);

/// Points of a view in double precision: what is left after the offset, and after whole periods of points that are not
/// in the box or a little below it, where coordinates have more digits.
class RelativeRows {
 public:
  RelativeRows(Region const& region, RowsIn const& view, Offset const& offset)
      : region_(region), view_(view), offset_(offset) {}

  std::size_t size() const noexcept { return view_.rows(); }
  std::array<double, 3> operator[](std::size_t row) const;

 private:
  Region const& region_;
  RowsIn const& view_;
  Offset const& offset_;
};

/// A coordinate as the caller gave it.
inline double at(RowsIn const& view, std::size_t row, std::size_t column) {
  auto const& c = view.columns()[column];
  auto const* place = static_cast<char const*>(c.first) + std::ptrdiff_t(row) * c.stride;
  return c.single ? double(*reinterpret_cast<float const*>(place)) : *reinterpret_cast<double const*>(place);
}

}  // namespace nearfar::detail
