// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/cells.hpp"
#include "core/near_pair.hpp"

#include <cmath>
#include <cstdint>

namespace nearfar {

/// What a P2P task is told beside its buffers.
struct P2PArgs {
  Cells cells;
  Block block;            ///< of targets
  Neighbours neighbours;  ///< source blocks, in the order of the buffers
};

/// A block's points in memory: x[stride], y[stride], z[stride], cell by cell; the points of cell c are
/// offsets[c] .. offsets[c + 1]. Strengths and results are laid out likewise, one array per component. The stride leaves
/// room for a whole SIMD vector that begins at the last point.
template <class T>
struct BlockView {
  T const* position = nullptr;
  T const* strength = nullptr;
  std::int32_t const* offset = nullptr;
  std::int64_t stride = 0;
};

/// Calls visit(block view, first point, last point, shift[3]) for each run of source points that can be within the cutoff
/// of a target cell. Runs go along z and are pruned by the distance between cell columns, so most points beyond the
/// cutoff are never touched. `sources(i)` gives the view of neighbour i, or an empty one to
/// leave it out.
template <class T, class Sources, class Visit>
NEARFAR_FUNCTION void for_each_run(P2PArgs const& args, int const cell[3], Sources const& sources, Visit&& visit) {
  Cells const& c = args.cells;
  double const edge[3] = {c.cell_edge(0), c.cell_edge(1), c.cell_edge(2)};
  // A hair more than the cutoff, since cells are found with rounded divisions.
  double const limit = c.cutoff * c.cutoff * (1 + 1e-5);
  int const rx = c.reach(0), ry = c.reach(1);
  for (int dx = -rx; dx <= rx; ++dx) {
    double const gx = dx == 0 ? 0 : ((dx > 0 ? dx : -dx) - 1) * edge[0];
    int const ux = cell[0] + dx, cx = wrap(ux, c.count[0]);
    if (!c.has(0, ux)) continue;
    int const bx = c.block_of(0, cx);
    for (int dy = -ry; dy <= ry; ++dy) {
      double const gy = dy == 0 ? 0 : ((dy > 0 ? dy : -dy) - 1) * edge[1];
      double const rest = limit - gx * gx - gy * gy;
      if (rest < 0) continue;
      int const rz = int(sqrt(rest) / edge[2]) + 1;
      int const uy = cell[1] + dy, cy = wrap(uy, c.count[1]);
      if (!c.has(1, uy)) continue;
      int const by = c.block_of(1, cy);
      int const low = c.has(2, cell[2] - rz) ? cell[2] - rz : 0;
      int const high = c.has(2, cell[2] + rz) ? cell[2] + rz : c.count[2] - 1;
      for (int uz = low; uz <= high;) {
        int const cz = wrap(uz, c.count[2]);
        int const bz = c.block_of(2, cz);
        int length = c.first_cell(2, bz + 1) - cz;
        if (uz + length > high + 1) length = high + 1 - uz;
        BlockView<T> const source = sources(args.neighbours.place(bx, by, bz));
        int const first = cell_in_block(c, {{bx, by, bz}}, cx, cy, cz);
        T const shift[3] = {T((ux - cx) / c.count[0] * c.edge[0]), T((uy - cy) / c.count[1] * c.edge[1]),
                            T((uz - cz) / c.count[2] * c.edge[2])};
        if (source.offset != nullptr) visit(source, source.offset[first], source.offset[first + length], shift);
        uz += length;
      }
    }
  }
}

/// Sums one run of sources onto one target.
template <Kernel K, bool Gradient, class T>
NEARFAR_FUNCTION void p2p_run(NearKernel<T> const& near, T const x[3], BlockView<T> const& source, int first, int last,
                              T const shift[3], T* u) {
  using Pair = NearPair<K, Gradient>;
  for (int j = first; j < last; ++j) {
    T const dx = x[0] - shift[0] - source.position[j];
    T const dy = x[1] - shift[1] - source.position[source.stride + j];
    T const dz = x[2] - shift[2] - source.position[2 * source.stride + j];
    T const r2 = dx * dx + dy * dy + dz * dz;
    if (r2 >= near.cutoff_squared) continue;
    T f[Pair::strengths];
    for (int m = 0; m < Pair::strengths; ++m) f[m] = source.strength[m * source.stride + j];
    T factor[Pair::factor_count];
    Pair::factors(near, r2, r2 > 0 ? T(1) / T(sqrt(r2)) : T(0), factor);
    Pair::add(factor, dx, dy, dz, f, u);
  }
}

/// Global indices of a block's cell number i.
NEARFAR_FUNCTION void cell_of_block(Cells const& c, Block const& block, int i, int cell[3]) {
  int const ny = c.cells_in(1, block.at[1]), nz = c.cells_in(2, block.at[2]);
  cell[2] = c.first_cell(2, block.at[2]) + i % nz;
  cell[1] = c.first_cell(1, block.at[1]) + i / nz % ny;
  cell[0] = c.first_cell(0, block.at[0]) + i / nz / ny;
}

NEARFAR_FUNCTION int cells_of_block(Cells const& c, Block const& block) {
  return c.cells_in(0, block.at[0]) * c.cells_in(1, block.at[1]) * c.cells_in(2, block.at[2]);
}

}  // namespace nearfar
