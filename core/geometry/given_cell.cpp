// SPDX-License-Identifier: BSD-3-Clause
#include "core/geometry/given_cell.hpp"

#include "core/geometry/axes.hpp"
#include "core/geometry/length_unit.hpp"
#include "core/math/reject.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace nearfar {

namespace {

/// Reducing rows this close to a plane or a line would lose half of their digits.
constexpr double least_fullness = 1e-6;
/// Rows this close to a plane or a line are in it, but for rounding.
constexpr double no_fullness = 1e-14;

std::string text_of(std::array<double, 3> const& row) { return in_words('(', row[0], ", ", row[1], ", ", row[2], ')'); }
std::string text_of(CellRows const& rows) {
  return text_of(rows[0]) + ", " + text_of(rows[1]) + ", " + text_of(rows[2]);
}

std::array<bool, 3> repeats(EwaldOptions const& o) {
  return {is_periodic(o.periodicity, 0), is_periodic(o.periodicity, 1), is_periodic(o.periodicity, 2)};
}

bool is_along(std::array<double, 3> const& row, std::size_t axis) {
  for (std::size_t c = 0; c < 3; ++c)
    if (c != axis && row[c] != 0) return false;
  return true;
}

/// In which no product of lengths overflows or vanishes.
LengthUnit unit_of(EwaldOptions const& o) {
  double longest = 0;
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t c = 0; c < 3 && is_periodic(o.periodicity, int(d)); ++c)
      longest = std::max(longest, std::fabs((*o.cell)[d][c]));
  return LengthUnit::for_length(longest);
}

/// The cell in that unit, with unit rows along free directions, whatever their length.
CellRows with_unit_rows(EwaldOptions const& o) {
  LengthUnit const unit = unit_of(o);
  CellRows rows = *o.cell;
  for (std::size_t d = 0; d < 3; ++d) {
    if (!is_periodic(o.periodicity, int(d))) rows[d] = {double(d == 0), double(d == 1), double(d == 2)};
    else
      for (double& c : rows[d]) c = unit.ours(c);
  }
  return rows;
}

bool is_left_handed(CellRows const& rows) {
  double face[3];
  cross(rows[1].data(), rows[2].data(), face);
  return dot(rows[0].data(), face) < 0;
}

void check_free_rows(EwaldOptions const& o) {
  CellRows const& rows = *o.cell;
  for (std::size_t d = 0; d < 3; ++d) {
    bool const periodic = is_periodic(o.periodicity, int(d));
    if (!periodic && (!is_along(rows[d], d) || rows[d][d] < 0))
      reject("row ", "abc"[d], " of the cell is ", text_of(rows[d]), ", and direction ", "xyz"[d],
             " does not repeat (such rows are normal to those that do, along their axis). Give only a length above 0 "
             "there, 0 to have it found, or make the direction periodic");
    for (std::size_t c = 0; periodic && c < 3; ++c)
      if (!is_periodic(o.periodicity, int(c)) && rows[d][c] != 0)
        reject("row ", "abc"[d], " of the cell is ", text_of(rows[d]), ", and direction ", "xyz"[c],
               " does not repeat (rows that repeat are normal to it). Give 0 for its ", "xyz"[c],
               ", or turn points and cell so that it is");
  }
}

void check_cell(EwaldOptions const& o) {
  CellRows const& rows = *o.cell;
  if (o.box != EwaldOptions().box)
    reject("both a box, ", text_of(o.box), ", and a cell are given (each is the period). Leave out one of them");
  for (std::size_t d = 0; d < 3; ++d)
    for (double const c : rows[d])
      if (!std::isfinite(c)) reject("row ", "abc"[d], " of the cell is ", text_of(rows[d]), " (a period is finite)");
  check_free_rows(o);
  for (std::size_t d = 0; d < 3; ++d)
    if (is_periodic(o.periodicity, int(d)) && rows[d] == std::array<double, 3>{})
      reject("row ", "abc"[d], " of the cell is (0, 0, 0) (a period has a length). Give the vector to the next image");
  CellRows const unit_rows = with_unit_rows(o);
  double const full = fullness(unit_rows);
  if (full < no_fullness)
    reject("the rows of the cell are ", text_of(rows), ", which lie ",
           periodic_directions(o.periodicity) == 2 ? "on one line" : "in one plane",
           " (a cell has a volume). Give a row in another direction, or fewer periodic directions");
  if (full < least_fullness)
    reject(
        "the rows of the cell are ", text_of(rows), ", whose volume is ", full,
        " of the product of their lengths (rows so nearly parallel do not tell where images are). Give rows that span "
        "the same lattice and are shorter, with a ratio of ",
        least_fullness, " and more");
  if (is_left_handed(unit_rows))
    reject("the rows of the cell are ", text_of(rows),
           ", a left-handed cell (rows are often in that order by mistake). ",
           periodic_directions(o.periodicity) == 1 ? "Give the negative of the one that repeats"
                                                   : "Exchange two rows that repeat, or give the negative of one",
           ": the lattice stays the same");
}

/// The edges of a box along the axes, if the rows that repeat are along them, in any order.
bool as_box(CellRows const& rows, EwaldOptions const& o, std::array<double, 3>& box) {
  box = {};
  for (std::size_t d = 0; d < 3; ++d) {
    std::size_t axis = 0;
    while (axis < 3 && !is_along(rows[d], axis)) ++axis;
    if (axis == 3) return false;
    if (!is_periodic(o.periodicity, int(d))) axis = d;
    box[axis] = std::fabs(rows[d][axis]);
  }
  return true;
}

double length_of(std::array<double, 3> const& row) { return std::sqrt(dot(row.data(), row.data())); }

}  // namespace

EwaldOptions with_reduced_cell(EwaldOptions o) {
  if (!o.cell) return o;
  check_cell(o);
  LengthUnit const unit = unit_of(o);
  CellRows const shortest = reduced(with_unit_rows(o), repeats(o)).rows;
  CellRows least = *o.cell;
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t c = 0; c < 3 && is_periodic(o.periodicity, int(d)); ++c)
      least[d][c] = unit.callers(shortest[d][c]);
  std::array<double, 3> box;
  bool const right = as_box(least, o, box);
  bool same = least == *o.cell;
  for (std::size_t d = 0; right && d < 3; ++d) same = same && is_along(least[d], d);
  if (o.grid && !same)
    reject("a grid is set for the rows ", text_of(*o.cell), ", but the shortest rows of this lattice are ",
           text_of(least), " (grids are along those). Give these rows, or leave out the grid");
  o.box = box;
  o.cell.reset();
  if (right) return o;
  for (std::size_t d = 0; d < 3; ++d)
    o.box[d] = is_periodic(o.periodicity, int(d)) ? unit.callers(length_of(shortest[d])) : std::fabs(least[d][d]);
  o.cell = least;
  return o;
}

CellRows rows_of(EwaldOptions const& o) {
  CellRows rows{};
  for (std::size_t d = 0; d < 3; ++d)
    if (o.cell && is_periodic(o.periodicity, int(d))) rows[d] = (*o.cell)[d];
    else rows[d][d] = o.box[d];
  return rows;
}

CellRows rows_inside(EwaldOptions const& o) {
  Axes const axes = axes_of(o.periodicity);
  CellRows rows = inside(axes, rows_of(o));
  for (auto& row : rows) row = inside(axes, row);
  return rows;
}

std::array<double, 3> heights_of(EwaldOptions const& o) {
  if (!o.cell) return o.box;
  CellLattice const lattice = CellLattice::of(with_unit_rows(o));
  std::array<double, 3> heights = o.box;
  for (std::size_t d = 0; d < 3; ++d)
    if (is_periodic(o.periodicity, int(d))) heights[d] = unit_of(o).callers(lattice.height[d]);
  return heights;
}

double fullness_of(EwaldOptions const& o) { return o.cell ? fullness(with_unit_rows(o)) : 1; }

}  // namespace nearfar
