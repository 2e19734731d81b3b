// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/g2p/g2p_body.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace nearfar {

/// The cells for whose points a GPU block gathers, and the nodes that
/// their windows touch, which it holds in shared memory: [x][y][pitch].
struct GatherBrick {
  static constexpr int max_runs = 64;

  int cells[3] = {1, 1, 1}, bricks[3] = {0, 0, 0};  ///< of a block
  int in_block[3] = {0, 0, 0};                      ///< cells of the block
  double first[3] = {0, 0, 0};                      ///< where the nodes of the first brick begin, in grid points
  double step[3] = {0, 0, 0};                       ///< from one brick to the next
  int nodes[3] = {0, 0, 0};
  int pitch = 0;  ///< of rows, such that the rows of a window fall into successive banks

  NEARFAR_FUNCTION int count() const { return bricks[0] * bricks[1] * bricks[2]; }
  NEARFAR_FUNCTION int runs() const { return cells[0] * cells[1]; }
  /// An even number along z, because nodes are read in pairs.
  NEARFAR_FUNCTION int first_node(int d, int place) const {
    int const node = int(ceil(first[d] + place * step[d]));
    return d == 2 ? node & ~1 : node;
  }
  NEARFAR_FUNCTION int rows() const { return nodes[0] * nodes[1]; }
  NEARFAR_FUNCTION int plane() const { return nodes[1] * pitch; }
  int size() const { return rows() * pitch; }
  /// Nodes read for all bricks.
  double read() const { return double(count()) * nodes[0] * nodes[1] * nodes[2]; }
};

/// In grid points: more than rounding may move a window.
inline constexpr double gather_hair = 1e-3;

/// Nodes touched by the windows of points in this many adjacent cells.
inline int nodes_of_cells(Grid const& grid, Cells const& cells, int d, int count) {
  double const length = count * cells.cell_edge(d) * grid.layout.scale(d) + 2 * gather_hair + (d == 2 ? 1 : 0);
  return int(std::min(std::floor(length), double(grid.layout.size[d] - 1))) + 1 + grid.window;
}

/// The brick for which the fewest nodes are read, among those for which fit() holds and which have
/// at most `most` targets on average or are one cell; none (count() == 0) if no cell fits, or rows
/// are not aligned to pairs. `banks` is how many numbers of shared memory are read at once.
template <class Fits>
GatherBrick gather_brick(G2PArgs const& args, double most, int banks, Fits const& fits) {
  Grid const& grid = args.grid;
  Cells const& cells = args.cells;
  constexpr int most_cells = 64;
  if (grid.window % 2 != 0 || grid.layout.size[2] % 2 != 0) return {};
  GatherBrick best, brick;
  int const* const all = brick.in_block;
  for (int d = 0; d < 3; ++d) {
    brick.in_block[d] = cells.cells_in(d, args.block.at[d]);
    double const corner = cells.first_cell(d, args.block.at[d]) * cells.cell_edge(d) * grid.layout.scale(d);
    brick.first[d] = corner + grid.offset[d] - 0.5 * grid.window - gather_hair;
  }
  double const targets = args.chunk.count() / (double(all[0]) * all[1] * all[2]);
  auto const set = [&](int d, int count) {
    brick.cells[d] = count;
    brick.bricks[d] = (all[d] + count - 1) / count;
    brick.nodes[d] = nodes_of_cells(grid, cells, d, count);
    brick.step[d] = count * cells.cell_edge(d) * grid.layout.scale(d);
  };
  for (int x = 1; x <= std::min(all[0], most_cells); ++x) {
    set(0, x);
    for (int y = 1; y <= std::min(all[1], GatherBrick::max_runs / x); ++y) {
      set(1, y);
      for (int z = 1; z <= std::min(all[2], most_cells); ++z) {
        set(2, z);
        brick.pitch = grid.window + (std::max(0, brick.nodes[2] - grid.window) + banks - 1) / banks * banks;
        if (!fits(brick) || (x * y * z > 1 && x * y * z * targets > most)) break;
        if (best.count() == 0 || brick.read() < best.read()) best = brick;
      }
    }
  }
  return best;
}

}  // namespace nearfar
