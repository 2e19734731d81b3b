// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/coarse_cells.hpp"

#include <cstdint>

namespace nearfar {

/// What lies in a column: the cells of a block with the same x and y, whose points follow each other.
struct ColumnContent {
  std::int32_t points = 0;
  double pairs = 0;  ///< estimated sources within the cutoff of these (CoarseCells)
};

/// How many columns precede those of a block, where they are counted block by block, y fastest.
NEARFAR_FUNCTION int columns_before(Cells const& cells, Block const& block) {
  int const x = cells.first_cell(0, block.at[0]), y = cells.first_cell(1, block.at[1]),
            wide = cells.cells_in(0, block.at[0]), deep = cells.cells_in(1, block.at[1]);
  return (x * cells.count[1] + wide * y) * cells.blocks[2] + wide * deep * block.at[2];
}
NEARFAR_FUNCTION int columns_of(Cells const& cells, Block const& block) {
  return cells.cells_in(0, block.at[0]) * cells.cells_in(1, block.at[1]);
}
/// Of all blocks.
NEARFAR_FUNCTION int all_columns(Cells const& cells) { return cells.count[0] * cells.count[1] * cells.blocks[2]; }

/// Calls visit(coarse cell, points) for the runs of cells of a column that are in the same coarse cell. `offset`: where
/// the cells of its block begin.
template <class Visit>
NEARFAR_FUNCTION void for_each_run(Cells const& cells, CoarseCells const& coarse, Block const& block, int column,
                                   std::int32_t const* offset, Visit const& visit) {
  int const deep = cells.cells_in(1, block.at[1]), high = cells.cells_in(2, block.at[2]),
            first = cells.first_cell(2, block.at[2]), last = first + high;
  int const x = coarse.of(0, cells.first_cell(0, block.at[0]) + column / deep),
            y = coarse.of(1, cells.first_cell(1, block.at[1]) + column % deep);
  std::int32_t const* const of_column = offset + std::int64_t(column) * high;
  for (int z = coarse.of(2, first), from = first; from < last; ++z) {
    int const end = coarse.first(2, z + 1), to = end < last ? end : last;
    int const points = of_column[to - first] - of_column[from - first];
    if (points > 0) visit(coarse.place(x, y, z), points);
    from = to;
  }
}

/// The content of a column, where each coarse cell has so many sources `near` it.
NEARFAR_FUNCTION ColumnContent content_of(Cells const& cells, CoarseCells const& coarse, Block const& block, int column,
                                          std::int32_t const* offset, double const* near) {
  ColumnContent content;
  for_each_run(cells, coarse, block, column, offset, [&content, near](int place, int points) {
    content.points += points;
    content.pairs += points * near[place];
  });
  return content;
}

}  // namespace nearfar
