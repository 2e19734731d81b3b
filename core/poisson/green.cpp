// SPDX-License-Identifier: BSD-3-Clause
#include "core/poisson/green.hpp"

#include "core/ewald/far_grid.hpp"
#include "core/math/constants.hpp"
#include "core/poisson/sampled_kernel.hpp"
#include "core/poisson/truncated_kernel.hpp"

#include <cmath>

namespace nearfar {

namespace {

/// The kernel's cut is felt by a density that the grid does not resolve; this leaves some room between it and the
/// farthest two cells.
constexpr double cut_per_diagonal = 1.1;

/// A sample's place: square of the distance or wave number along the open directions, and of the wave number along the
/// others.
struct Place {
  double open_squared = 0, closed_squared = 0;
};

double coordinate(GreenAxis const& axis, int i) {
  return i * (axis.open && axis.cut == 0 ? axis.spacing : axis.mode_unit());
}

void add(Place& place, GreenAxis const& axis, int i) {
  double const c = coordinate(axis, i);
  (axis.open ? place.open_squared : place.closed_squared) += c * c;
}

double central_sample(GreenFunction const& g, double kappa) {
  if (g.green == HockneyGreen::constant) return 1 / (4 * pi<double>);
  std::array<double, 3> edges{};
  std::size_t count = 0;
  for (auto const& axis : g.axis)
    if (axis.open) edges[count++] = axis.spacing;
  return central_average(g.open(), edges, kappa);
}

void sample_in_space(GreenFunction const& g, int x, int y, double* row) {
  int const open = g.open();
  bool const integrated = g.green == HockneyGreen::integrated;
  std::array<double, 3> const edges{g.axis[0].spacing, g.axis[1].spacing, g.axis[2].spacing};
  for (int z = 0; z < g.axis[2].samples(); ++z) {
    Place place;
    add(place, g.axis[0], x);
    add(place, g.axis[1], y);
    add(place, g.axis[2], z);
    double const r = std::sqrt(place.open_squared), kappa = std::sqrt(place.closed_squared);
    double const value = integrated ? cell_average({x * edges[0], y * edges[1], z * edges[2]}, edges)
                         : r == 0   ? central_sample(g, kappa)
                                    : sampled_kernel(open, r, kappa);
    row[z] = g.scale * value;
  }
}

}  // namespace

double GreenAxis::mode_unit() const { return 2 * pi<double> / (spacing * (cut > 0 ? cut : transform())); }

GreenFunction make_green_function(PoissonMethod method, HockneyGreen green, std::array<int, 3> const& grid,
                                  std::array<double, 3> const& box, std::array<bool, 3> const& periodic) {
  GreenFunction g;
  g.method = method;
  g.green = green;
  double diagonal = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    g.axis[d] = {grid[d], box[d] / grid[d], !periodic[d], 0};
    if (!periodic[d]) diagonal = std::hypot(diagonal, box[d]);
  }
  bool const cut = method != PoissonMethod::hockney;
  if (cut) g.radius = cut_per_diagonal * diagonal;
  for (auto& axis : g.axis) {
    if (!axis.open) continue;
    // Images of the kernel, which the sampling of its modes makes, begin beyond the farthest cell.
    if (cut) axis.cut = even_smooth_at_least(axis.size + g.radius / axis.spacing);
    g.scale *= cut ? 1.0 / axis.cut : axis.spacing;
  }
  return g;
}

void sample_green_row(GreenFunction const& g, int x, int y, double* row) {
  int const open = g.open();
  if (g.radius == 0 && open > 0) return sample_in_space(g, x, y, row);
  Place beside;
  add(beside, g.axis[0], x);
  add(beside, g.axis[1], y);
  for (int z = 0; z < g.axis[2].samples(); ++z) {
    Place place = beside;
    add(place, g.axis[2], z);
    row[z] = g.scale * truncated_kernel(open, g.radius, std::sqrt(place.open_squared), std::sqrt(place.closed_squared));
  }
}

}  // namespace nearfar
