// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/constants.hpp"
#include "tasks/ewald/plan.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar::detail {

/// Flops of each task of an Ewald solve: the keys of the cost models, so they count what the time
/// depends on (pairs, points, grid points), not bytes. Estimated where counting would cost too much.
template <class T>
struct EwaldCosts {
  EwaldSetup<T> const& setup;
  PointSet<T> const& points;

  double bin(int block) const { return double(points.sources().count(block)) * setup.kernel.strengths; }
  double moment(int block) const { return 12.0 * points.sources().count(block); }
  /// A few of the pairs, by a body that is not tuned much.
  double images(TargetChunk const& chunk) const { return 0.1 * p2p(chunk); }
  double energy(TargetChunk const& chunk) const { return 4.0 * chunk.points.count() * setup.kernel.results; }
  double reduce(TargetChunk const& chunk) const { return double(chunk.points.count()) * setup.kernel.inverse; }
  double merge(TargetChunk const& chunk) const { return 2.0 * chunk.points.count() * setup.kernel.inverse; }

  /// Of so many vectors together, which share all but the use of the factors.
  double p2p(TargetChunk const& chunk, int vectors = 1) const {
    return (setup.parameters.flops_per_pair + (vectors - 1) * setup.kernel.near_flops) * chunk.pairs;
  }

  /// Points whose windows touch the slab, estimated from its share of the blocks beside it.
  double p2g(int slab, CyclicRange const& beside) const {
    Cells const& c = setup.cells;
    double count = 0, width = 0;
    for (int x = 0; x < beside.count; ++x) {
      width += c.cells_in(0, beside.item(x)) * c.cell_edge(0);
      for (int y = 0; y < c.blocks[1]; ++y)
        for (int z = 0; z < c.blocks[2]; ++z) count += points.sources().count(block_number(c, beside.item(x), y, z));
    }
    double const chunk = std::min(1.0, setup.grid.layout.planes(slab) / setup.grid.layout.scale(0) / width);
    return count * chunk * window_flops(setup.kernel.forward);
  }
  double g2p(TargetChunk const& chunk) const { return chunk.points.count() * window_flops(setup.kernel.inverse); }

 private:
  double window_flops(int components) const { return 2.0 * components * std::pow(setup.grid.window, 3); }
};

}  // namespace nearfar::detail
