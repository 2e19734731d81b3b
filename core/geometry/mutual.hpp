// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/cells.hpp"

namespace nearfar {

/// Where the targets are the sources, pairs of points in two blocks are summed once for both, by the P2P task of
/// one block, which stores the part for the other block in separate rows: a mutual contribution. Returns whether
/// the task of `block` does so for `other`: one of the two does, and all tasks get equally many pairs of blocks.
NEARFAR_FUNCTION bool sums_for_both(Cells const& cells, Block const& block, Block const& other) {
  for (int d = 0; d < 3; ++d) {
    int const ahead = wrap(other.at[d] - block.at[d], cells.blocks[d]);
    if (ahead == 0) continue;
    return 2 * ahead == cells.blocks[d] ? block.at[d] < other.at[d] : 2 * ahead < cells.blocks[d];
  }
  return false;
}

/// Whether `block` can contribute anything to column (x, y) of the cells of `other`, in the numbering of `other`.
/// These are the columns that for_each_column (codelets/near/p2p/p2p_body.hpp) finds around the cells of `block`.
NEARFAR_FUNCTION bool is_mutual_column(Cells const& c, Block const& block, Block const& other, int x, int y) {
  auto const gap = [&](int d, int cell) {
    int const first = c.first_cell(d, block.at[d]), last = c.first_cell(d, block.at[d] + 1) - 1;
    if (first <= cell && cell <= last) return 0.0;
    int away = cell < first ? first - cell : cell - last;
    int const around = c.count[d] - (cell < first ? last - cell : cell - first);
    if (c.periodic[d] && around < away) away = around;
    return (away - 1) * c.cell_edge(d) * c.thickness[d];
  };
  double const gx = gap(0, c.first_cell(0, other.at[0]) + x), gy = gap(1, c.first_cell(1, other.at[1]) + y);
  if (c.skewed) return (gx > gy ? gx * gx : gy * gy) <= c.reach_squared();  // faces are not at right angles
  return gx * gx + gy * gy <= c.reach_squared();
}

/// Calls visit(first cell, cells) for those columns.
template <class Visit>
NEARFAR_FUNCTION void for_each_mutual_column(Cells const& c, Block const& block, Block const& other, Visit&& visit) {
  int const nx = c.cells_in(0, other.at[0]), ny = c.cells_in(1, other.at[1]), nz = c.cells_in(2, other.at[2]);
  for (int x = 0; x < nx; ++x)
    for (int y = 0; y < ny; ++y)
      if (is_mutual_column(c, block, other, x, y)) visit((x * ny + y) * nz, nz);
}

}  // namespace nearfar
