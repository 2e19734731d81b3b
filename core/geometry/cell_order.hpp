// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/cells.hpp"

namespace nearfar {

/// How many cells precede those of a block, where cells are counted block by block.
NEARFAR_FUNCTION int cells_before(Cells const& cells, Block const& block) {
  int first[3], size[2];
  for (int d = 0; d < 3; ++d) first[d] = cells.first_cell(d, block.at[d]);
  for (int d = 0; d < 2; ++d) size[d] = cells.cells_in(d, block.at[d]);
  return (first[0] * cells.count[1] + size[0] * first[1]) * cells.count[2] + size[0] * size[1] * first[2];
}

/// The same by the number of the block; after the last one, all cells.
NEARFAR_FUNCTION int cells_before_block(Cells const& cells, int block) {
  return block < cells.block_count() ? cells_before(cells, block_at(cells, block))
                                     : cells.count[0] * cells.count[1] * cells.count[2];
}

/// Index of a cell (given globally) where cells are counted block by block.
NEARFAR_FUNCTION int cell_by_block(Cells const& cells, int cx, int cy, int cz) {
  Block const block{{cells.block_of(0, cx), cells.block_of(1, cy), cells.block_of(2, cz)}};
  return cells_before(cells, block) + cell_in_block(cells, block, cx, cy, cz);
}

/// How many cells a block has.
NEARFAR_FUNCTION int cells_of(Cells const& cells, Block const& block) {
  return cells.cells_in(0, block.at[0]) * cells.cells_in(1, block.at[1]) * cells.cells_in(2, block.at[2]);
}

}  // namespace nearfar
