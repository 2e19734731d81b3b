// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/views/relative_rows.hpp"

#include "core/geometry/axes.hpp"
#include "core/geometry/lattice.hpp"

namespace nearfar::detail {

namespace {

/// A coordinate that is beyond as many periods of its box is wrapped before it is rounded.
constexpr double far_away = 2;

}  // namespace

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
        is_periodic(region_.periodicity, int(d)) && std::abs(x[d]) > far_away * edge && std::isfinite(x[d]))
      x[d] -= edge * std::floor(x[d] / edge);
  return x;
}

}  // namespace nearfar::detail
