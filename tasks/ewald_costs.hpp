// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/constants.hpp"
#include "tasks/ewald_plan.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar::detail {

/// Flops of each task of an Ewald solve: what cost models are keyed on, so they count what the time depends on
/// (pairs, points, grid points), not bytes. Estimates where counting would cost more than it is worth.
template <class T>
struct EwaldCosts {
  EwaldSetup<T> const& setup;
  PointSet<T> const& points;

  double bin(int block) const { return double(points.sources().count(block)) * setup.strengths; }
  double moment(int block) const { return 12.0 * points.sources().count(block); }
  double collect(TargetShare const& share) const { return double(share.points.count()) * setup.inverse; }
  double merge(TargetShare const& share) const { return 2.0 * share.points.count() * setup.inverse; }

  double p2p(TargetShare const& share) const { return setup.parameters.flops_per_pair * share.pairs; }

  /// Points whose windows touch the slab, taken as its share of what the blocks beside it hold.
  double p2g(int slab, CyclicRange const& beside) const {
    Cells const& c = setup.cells;
    double count = 0, width = 0;
    for (int x = 0; x < beside.count; ++x) {
      width += c.cells_in(0, beside.item(x)) * c.cell_edge(0);
      for (int y = 0; y < c.blocks[1]; ++y)
        for (int z = 0; z < c.blocks[2]; ++z) count += points.sources().count(block_number(c, beside.item(x), y, z));
    }
    double const share = std::min(1.0, setup.grid.planes(slab) / setup.grid.scale(0) / width);
    return count * share * window_flops(setup.forward);
  }
  double g2p(TargetShare const& share) const { return share.points.count() * window_flops(setup.inverse); }

  double plane_fft(int slab, int components) const {
    Grid const& g = setup.grid;
    double points = 0;
    for (int i = 0; i < g.sections(); ++i) points += 2.0 * g.section_columns(i);
    return components * g.planes(slab) * 2.5 * points * std::log2(points);
  }
  double scale(int group) const {
    Grid const& g = setup.grid;
    double flops = 0;
    int const first = g.first_column(group);
    // A few columns stand for all.
    int const step = std::max(1, g.columns_in(group) / 64), all = g.columns_in(group);
    for (int i = 0; i < all; i += step) {
      double const n = g.padding[g.column(first + i).padding].size[0];
      flops += std::min(step, all - i) * n * (10 * std::log2(n) + 40);
    }
    return 0.5 * (setup.forward + setup.inverse) * flops;
  }

 private:
  double window_flops(int components) const { return 2.0 * components * std::pow(setup.grid.window, 3); }
};

}  // namespace nearfar::detail
