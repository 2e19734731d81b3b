// SPDX-License-Identifier: BSD-3-Clause
#include "core/cell_choice.hpp"

#include "core/axes.hpp"
#include "core/near_tile.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

/// Sources are read in runs along z, two cutoffs long and one cell column wide. Wide columns hold points that are too
/// far away, thin ones make runs that hardly fill a SIMD vector. Columns are a whole part of the cutoff wide, because a
/// little less would only add columns on either side. Measured: up to about this many points in a run, halving the
/// width gained nothing.
constexpr double points_per_run = 150, along_z = 8;

/// Share of the cells of a direction that have a neighbour so many cells away.
double having(Cells const& c, int d, int cells_away) {
  return c.periodic[d] ? 1 : std::max(0.0, 1 - std::abs(cells_away) / double(c.count[d]));
}

}  // namespace

Cells choose_cells(EwaldOptions const& o, EwaldParameters const& p, double points, double clumping) {
  Axes const axes = axes_of(o.periodicity);
  auto const box = inside(axes, o.box);
  Cells cells;
  cells.cutoff = p.cutoff;
  double const density = clumping * points / (box[0] * box[1] * box[2]);
  double const in_widest = 2 * density * p.cutoff * p.cutoff * p.cutoff;
  double const across = p.cutoff / std::clamp(std::ceil(std::sqrt(in_widest / points_per_run)), 1.0, 5.0);
  double const edge[3] = {across, across, p.cutoff / along_z};  // a finer cut that costs nothing
  for (std::size_t d = 0; d < 3; ++d) {
    cells.edge[d] = box[d];
    cells.periodic[d] = is_periodic(o.periodicity, axes[d]);
    cells.count[d] = static_cast<int>(std::clamp(box[d] / edge[d], 1.0, 4096.0));
  }
  // A sparse set has fewer cells: walking through empty ones would cost more than testing far pairs. Where points are
  // dense in a part of the box, most cells are empty anyway.
  double const most = 4 * std::min(clumping, 4.0) * points + 64;
  for (int d = 0; d < 3; ++d) {
    double const product = double(cells.count[0]) * cells.count[1] * cells.count[2];
    if (product <= most) break;
    for (int& c : cells.count)
      if (c > 1) c = std::max(1, static_cast<int>(c * std::cbrt(most / product)));
  }
  return cells;
}

CellsRead cells_read(Cells const& c) {
  double const edge[3] = {c.cell_edge(0), c.cell_edge(1), c.cell_edge(2)};
  CellsRead read;
  for (int dx = -c.reach(0); dx <= c.reach(0); ++dx) {
    double const gx = std::max(0, std::abs(dx) - 1) * edge[0], along_x = having(c, 0, dx);
    if (along_x <= 0) continue;
    for (int dy = -c.reach(1); dy <= c.reach(1); ++dy) {
      double const gy = std::max(0, std::abs(dy) - 1) * edge[1];
      double const rest = c.cutoff * c.cutoff - gx * gx - gy * gy;
      if (rest < 0) continue;
      int const reach = std::min(int(std::sqrt(rest) / edge[2]) + 1, c.reach(2));
      double const most = c.periodic[2] ? reach : std::min(reach, c.count[2] - 1);
      double const along = 2 * most + 1 - (c.periodic[2] ? 0 : most * (most + 1) / c.count[2]);
      double const there = along_x * having(c, 1, dy);
      read.runs += there;
      read.share += there * along;
    }
  }
  read.share /= double(c.count[0]) * c.count[1] * c.count[2];
  return read;
}

double pairs_evaluated(Cells const& c, double density) {
  double const across = c.cell_edge(0) * c.cell_edge(1);
  double edge[3] = {c.cell_edge(0), c.cell_edge(1), targets_per_bunch / std::max(density * across, 1 / c.edge[2])};
  for (int cut = 1; cut < targets_per_bunch / targets_per_tile; cut *= 2) *std::max_element(edge, edge + 3) /= 2;
  // Fitted to counts of random points, within 5 % for tiles up to the cutoff wide; a source is at most near one alone.
  double const mean = (edge[0] + edge[1] + edge[2]) / 3;
  return std::min(1 + 1.04 * mean / c.cutoff, double(targets_per_tile));
}

double mutual_share(Cells const& c, double neighbours, bool mutual_blocks) {
  double inside = 1;
  for (int d = 0; d < 3; ++d)
    if (c.blocks[d] > 1 && !mutual_blocks) inside *= share_inside(c.cutoff * c.blocks[d] / c.edge[d]);
  return inside * std::max(0.0, 1 - targets_per_tile / std::max(neighbours, 1.0));
}

double share_inside(double reach) noexcept {
  // The mean of 1 - |x| over a ball of this radius, 0 beyond 1.
  if (reach <= 1) return 1 - 3 * reach / 8;
  return 3 / (4 * reach) - 1 / (8 * reach * reach * reach);
}

}  // namespace nearfar
