// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/far/far_grid.hpp"

#include "core/ewald/split/profile.hpp"
#include "core/ewald/tolerances.hpp"
#include "core/geometry/axes.hpp"
#include "core/geometry/given_cell.hpp"
#include "core/kernels/description/description.hpp"
#include "core/math/constants.hpp"
#include "core/spectral/smooth_length.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

constexpr int beside_window = room_beside_window - 2;

/// Length of the diagonal of the box along free directions.
double free_diagonal(EwaldOptions const& o) {
  double square = 0;
  for (int d = 0; d < 3; ++d)
    if (!is_periodic(o.periodicity, d)) square += o.box[std::size_t(d)] * o.box[std::size_t(d)];
  return std::sqrt(square);
}

/// The field of a mode with wave number K along the periodic directions decays as (1 + K z) e^{-K z}: the value of K z
/// beyond which it is negligible.
double decay_exponent(double tolerance) {
  double y = 1;
  for (int i = 0; i < 60; ++i) y = std::log1p(y) - std::log(0.3 * std::min(tolerance, 0.1));
  return y;
}

/// Paddings for grids that have both periodic and free directions: padded lengths, each about a fifth shorter than the
/// one before, down to the grid without zeros.
class Paddings {
 public:
  /// `slopes`: results hold derivatives of potentials, or of velocities of forces.
  Paddings(SpectralLayout& layout, std::array<double, 3> const& box, double tolerance, bool slopes)
      : layout_(layout), box_(box) {
    double longest = 0;
    lowest_ = HUGE_VAL;
    margin_ = HUGE_VAL;
    for (int d = 0; d < 3; ++d)
      if (d < layout.free) {
        longest = std::max(longest, box[std::size_t(d)]);
        margin_ = std::min(margin_, layout.edge[d] - box[std::size_t(d)]);
      } else {
        lowest_ = std::min(lowest_, layout.mode_unit(d, layout.size[d]));
      }
    longest_ = longest;
    exponent_ = decay_exponent(tolerance * (slopes ? weakest() : 1));
  }

  void add_all() {
    double const room = exponent_ / lowest_;
    double const steps = max_paddings - 2;
    double const ratio = std::max(1.2, std::pow((longest_ + room) / (longest_ + margin_), 1 / steps));
    for (double k = lowest_;;) {
      double const needed = exponent_ / k;
      add(k, needed);
      if (needed <= margin_ * (1 + 1e-9) || layout_.paddings == max_paddings) return;
      double const next_room = std::max(margin_, (longest_ + needed) / ratio - longest_);
      double const next = exponent_ / next_room;
      k = layout_.free == 2 ? std::ceil(next / lowest_ - 1e-9) * lowest_ : next;
      if (layout_.free == 2 && k > layout_.mode_unit(2, layout_.size[2]) * (layout_.modes_z() - 0.5)) return;
    }
  }

 private:
  /// Half a long period away from a source in a thin box, slopes of its long waves nearly cancel: what is left is to
  /// one of them about as the box's thickness is to the period, but images that padding lets through do not cancel. In
  /// a layer of no thickness they are even, and cancel too. With two free directions waves fall off by themselves.
  double weakest() const {
    constexpr double thinnest = 0.02;
    return layout_.free == 1 ? std::clamp(longest_ * lowest_ / (2 * pi<double>), thinnest, 1.0) : 1;
  }

  void add(double k, double room) {
    Padding& p = layout_.padding[layout_.paddings++];
    p.lowest_squared = k * k;
    for (int d = 0; d < 2; ++d) {
      double const least = d < layout_.free ? (box_[std::size_t(d)] + room) * layout_.scale(d) : 0;
      p.size[d] = std::max(layout_.size[d], even_smooth_at_least(least));
    }
  }

  SpectralLayout& layout_;
  std::array<double, 3> box_;
  double exponent_ = 0, longest_ = 0, lowest_ = 0, margin_ = 0;
};

/// Modes beyond this wave number are left out as zero. A table's influence function is cut in space and so has modes
/// everywhere; and where a GPU has all modes, leaving some out would take one more pass over them.
double modes_end(EwaldOptions const& o, EwaldPlanning const& p) {
  if (p.influence_table || p.columns == 1) return HUGE_VAL;
  return band(o.split, p.split_parameter, p.cutoff, fit_error(o.tolerance));
}

/// Turns the layout of a box of these edges into that of a skewed cell.
void lean(SpectralLayout& layout, CellRows const& rows, std::array<double, 3> const& edge) {
  CellLattice const lattice = CellLattice::of(rows);
  layout.skewed = true;
  for (std::size_t d = std::size_t(layout.free); d < 3; ++d)
    for (std::size_t c = 0; c < 3; ++c) layout.slant[d][c] = edge[d] * lattice.reciprocal[d][c];
}

}  // namespace

double spacing_free(double edge, int points, int window_points) {
  return edge / std::max(1, points - window_points - beside_window);
}

int grid_points_free(double edge, double spacing, int window_points, double cutoff) {
  return even_smooth_at_least(edge / spacing + std::max<double>(window_points + beside_window, cutoff / spacing) -
                              1e-6);
}

std::array<double, 3> grid_edges(EwaldOptions const& o, EwaldPlanning const& p) {
  std::array<double, 3> edges = o.box;
  for (std::size_t d = 0; d < 3; ++d) {
    if (is_periodic(o.periodicity, int(d))) continue;
    double const points = p.grid[d];
    edges[d] = std::max(points * spacing_free(o.box[d], p.grid[d], p.window_points), o.box[d] + p.cutoff);
  }
  return edges;
}

FilledGrid filled_grid(EwaldOptions const& o, EwaldPlanning const& p) {
  FilledGrid filled{grid_edges(o, p), p.grid};
  for (std::size_t d = 0; d < 3; ++d) {
    if (is_periodic(o.periodicity, int(d))) continue;
    double const share = std::max(0.5, o.box[d] / filled.edge[d]);
    filled.size[d] = 2 * std::max(1, int(std::lround(share * p.grid[d] / 2)));
    filled.edge[d] *= double(filled.size[d]) / p.grid[d];
  }
  return filled;
}

/// The radius at which the kernel is truncated. No pair of points may feel the truncation: neither the cut itself,
/// which is smoothed over one cutoff, nor periodic images of the truncated kernel.
double truncation_radius(EwaldOptions const& o, EwaldPlanning const& p) {
  return o.periodicity == Periodicity::xyz ? 0 : free_diagonal(o) + p.cutoff;
}

std::array<int, 3> cut_transforms(EwaldOptions const& o, EwaldPlanning const& p) {
  auto const edge = grid_edges(o, p);
  double const reach = truncation_radius(o, p) + p.cutoff;
  std::array<int, 3> points = p.grid;
  for (std::size_t d = 0; d < 3; ++d)
    if (!is_periodic(o.periodicity, int(d)))
      points[d] = std::max(points[d], even_smooth_at_least((o.box[d] + reach) * points[d] / edge[d]));
  return points;
}

Grid make_grid(EwaldOptions const& o, EwaldPlanning const& p) {
  Axes const axes = axes_of(o.periodicity);
  auto const edge = inside(axes, grid_edges(o, p)), box = inside(axes, o.box);
  auto const size = inside(axes, p.grid);
  Grid g;
  g.layout.free = free_directions(o.periodicity);
  if (o.cell) lean(g.layout, rows_inside(o), box);
  auto transform = inside(axes, cut_transforms(o, p));
  if (p.influence_table)
    for (std::size_t d = 0; d < 3; ++d) transform[d] = 2 * size[d];
  for (std::size_t d = 0; d < 3; ++d) {
    g.layout.edge[d] = edge[d];
    g.layout.size[d] = size[d];
    g.offset[d] = 0.5 * (edge[d] - box[d]) * g.layout.scale(int(d));
    if (d < 2) g.layout.padding[0].size[d] = transform[d];
  }
  if (g.layout.free == 3) g.layout.row_padding = transform[2];
  g.set_window(p.window_points);
  g.layout.slabs = p.slabs;
  g.layout.halo = p.halo_planes;
  g.layout.columns = p.columns;
  if (g.layout.free == 1 || g.layout.free == 2) {
    KernelDescription const& kernel = describe(o.kernel, o.outputs);
    bool const slopes = kernel.slopes() > 0 || kernel.last_decay() > 1 || kernel.table.pressure;
    Paddings(g.layout, box, o.tolerance, slopes).add_all();
  }
  set_sections(g.layout, modes_end(o, p));
  return g;
}

double plane_points(SpectralLayout const& l) {
  double const length = std::log2(double(l.padding[0].size[1]) * l.row_transform()) / 12;
  if (l.free < 2) return length * l.size[0] * l.size[1] * l.modes_z();
  // Transforms by rows and then by columns, in whole batches: each pass costs about half of a two-dimensional
  // transform.
  constexpr double share = 0.55, batch = 16;
  double modes = 0.5 * l.size[1] * l.modes_z();
  for (int p = 0, s = 0; p < l.paddings && s < l.sections; ++p) {
    int const first = l.section[s].first_z;
    while (s < l.sections && l.section[s].padding == p) ++s;
    modes += std::ceil((l.section[s].first_z - first) / batch) * batch * l.padding[p].size[1];
  }
  return length * share * l.size[0] * modes;
}

double column_points(SpectralLayout const& l) {
  double columns = 0;
  if (l.free == 1) {
    // Columns sorted by wave number: each padding serves a ring of the plane.
    double const units = l.mode_unit(1, l.size[1]) * l.mode_unit(2, l.size[2]);
    double left = l.column_count();
    for (int i = l.paddings - 1; i >= 0; --i) {
      double const inside = std::min(left, pi<double> / 2 * l.padding[i].lowest_squared / units);
      columns += l.padding[i].size[0] * (i == 0 ? left : left - inside);
      left = i == 0 ? left : inside;
    }
  } else {
    for (int s = 0; s < l.sections; ++s)
      columns += double(l.padding[l.section[s].padding].size[0]) * l.section_columns(s);
  }
  return columns;
}

}  // namespace nearfar
