// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/views/relative_rows.hpp"

#include "core/geometry/axes.hpp"
#include "core/geometry/lattice.hpp"
#include "core/math/floating_point.hpp"

namespace nearfar::detail {

namespace {

/// How far below the box plans keep coordinates as they are, whatever their cells.
double kept_below(Region const& region, double edge) { return region.from_faces ? edge / 3 : 0; }

bool is_kept(Region const& region, double edge, double x) { return x >= -kept_below(region, edge) && x < edge; }

double in_box(double x, double edge) { return std::fma(-std::floor(x / edge), edge, x); }

}  // namespace

bool has_rounded_periods(Region const& region) {
  bool rounded = region.cell.has_value();
  for (std::size_t d = 0; d < 3 && !region.from_faces; ++d)
    rounded |= is_periodic(region.periodicity, int(d)) && rounded_to<float>(region.box[d]) != region.box[d];
  return rounded;
}

bool loses_digits(Region const& region, std::size_t d, float x) {
  if (region.cell || !is_periodic(region.periodicity, int(d))) return false;
  double const edge = region.box[d];
  return x >= 0 || rounded_to<float>(edge) != edge ? !(x >= 0 && x < edge) : !is_kept(region, edge, x);
}

double rounding_of(Region const& region, std::size_t d, double x, double whole) {
  double const given = rounded_to<float>(x), added = given - x;
  if (region.cell) {
    double const placed = given - whole;
    return added + (rounded_to<float>(placed) - placed);
  }
  if (!is_periodic(region.periodicity, int(d))) return added;
  double const edge = region.box[d], inside = in_box(given, edge),
               // Points in the upper part of the box are counted from the edge as single precision has it.
      placed = inside >= edge - kept_below(region, edge) ? inside - rounded_to<float>(edge) : inside;
  return added + (rounded_to<float>(placed) - placed);
}

Offset whole_rows(Region const& region, double const* x) {
  CellRows rows = *region.cell;
  for (std::size_t d = 0; d < 3; ++d)
    if (!is_periodic(region.periodicity, int(d))) rows[d] = {double(d == 0), double(d == 1), double(d == 2)};
  CellLattice const lattice = CellLattice::of(rows);
  double images[3] = {};
  for (int d = 0; d < 3; ++d)
    if (double const at = lattice.fraction(d, x); is_periodic(region.periodicity, d) && std::isfinite(at))
      images[d] = std::floor(at);
  Offset whole;
  lattice.shift(images[0], images[1], images[2], whole.data());
  return whole;
}

std::array<double, 3> RelativeRows::operator[](std::size_t row) const {
  std::array<double, 3> x;
  for (std::size_t d = 0; d < 3; ++d) x[d] = at(view_, row, d) - offset_[d];
  if (region_.as_given) return x;
  if (region_.cell) {  // always: a row that is added for one direction makes the coordinates of others longer
    Offset const whole = whole_rows(region_, x.data());
    for (std::size_t d = 0; d < 3; ++d) x[d] -= whole[d];
    return x;
  }
  for (std::size_t d = 0; d < 3; ++d)
    if (double const edge = region_.box[d];
        is_periodic(region_.periodicity, int(d)) && !is_kept(region_, edge, x[d]) && std::isfinite(x[d])) {
      x[d] = in_box(x[d], edge);
      if (x[d] >= edge - kept_below(region_, edge)) x[d] -= edge;
    }
  return x;
}

}  // namespace nearfar::detail
