// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/coarse_cells.hpp"

#include <cstdint>

namespace nearfar {

/// What lies in a piece of a column.
struct ColumnContent {
  std::int32_t points = 0;
  double pairs = 0;  ///< estimated sources within the cutoff of these (CoarseCells)
};

/// The columns of all blocks, to tell how much work is where. A column: the cells of a block with the same x and y,
/// whose points follow each other. All are cut into as many pieces along z, of whole coarse cells. They are counted
/// block by block, in the order of points. Plain data.
struct CellColumns {
  Cells cells;
  CoarseCells coarse;
  int pieces = 1;  ///< of a column, of which the last may be empty

  /// Columns of a block.
  NEARFAR_FUNCTION int columns(Block const& block) const {
    return cells.cells_in(0, block.at[0]) * cells.cells_in(1, block.at[1]);
  }
  /// Columns that precede those of a block.
  NEARFAR_FUNCTION int before(Block const& block) const {
    int const x = cells.first_cell(0, block.at[0]), y = cells.first_cell(1, block.at[1]),
              wide = cells.cells_in(0, block.at[0]), deep = cells.cells_in(1, block.at[1]);
    return (x * cells.count[1] + wide * y) * cells.blocks[2] + wide * deep * block.at[2];
  }
  /// Of all blocks.
  NEARFAR_FUNCTION int all() const { return cells.count[0] * cells.count[1] * cells.blocks[2]; }
  NEARFAR_FUNCTION std::int64_t all_pieces() const { return std::int64_t(all()) * pieces; }

  /// Calls visit(coarse cell, piece of the column, points) for the runs of cells of a column that are in the same
  /// coarse cell. `offset`: where the cells of its block begin.
  template <class Visit>
  NEARFAR_FUNCTION void for_each_run(Block const& block, int column, std::int32_t const* offset,
                                     Visit const& visit) const {
    int const deep = cells.cells_in(1, block.at[1]), high = cells.cells_in(2, block.at[2]);
    if (high == 0) return;
    int const first = cells.first_cell(2, block.at[2]), last = first + high;
    int const x = coarse.of(0, cells.first_cell(0, block.at[0]) + column / deep),
              y = coarse.of(1, cells.first_cell(1, block.at[1]) + column % deep), bottom = coarse.of(2, first),
              runs = coarse.of(2, last - 1) - bottom + 1, each = (runs + pieces - 1) / pieces;
    std::int32_t const* const of_column = offset + std::int64_t(column) * high;
    for (int run = 0, from = first; run < runs; ++run) {
      int const end = coarse.first(2, bottom + run + 1), to = end < last ? end : last;
      int const points = of_column[to - first] - of_column[from - first];
      if (points > 0) visit(coarse.place(x, y, bottom + run), run / each, points);
      from = to;
    }
  }

  /// The content of the pieces of a column, where each coarse cell has so many sources `near` it.
  NEARFAR_FUNCTION void find_content(Block const& block, int column, std::int32_t const* offset, double const* near,
                                     ColumnContent* content) const {
    for (int p = 0; p < pieces; ++p) content[p] = {};
    for_each_run(block, column, offset, [content, near](int place, int piece, int points) {
      content[piece].points += points;
      content[piece].pairs += points * near[place];
    });
  }
};

/// Pieces as fine as coarse cells if that makes no more than `most` of all; at least one for each column.
CellColumns cell_columns_of(Cells const& cells, std::int64_t most);

}  // namespace nearfar
