// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/p2g/p2g_body.hpp"

namespace nearfar {

/// Cells along one direction, by unwrapped numbers, whose points have windows that reach given planes of the grid.
struct CellSpan {
  int first = 0, count = 0;
};

NEARFAR_FUNCTION CellSpan cells_reaching(Grid const& grid, Cells const& cells, int d, int plane, int planes) {
  double const half = 0.5 * grid.window, hair = 1e-4;  // in grid points: cells are found with rounded divisions
  double const edge = cells.cell_edge(d) * grid.layout.scale(d);
  int low = int(floor((plane - half - grid.offset[d] - hair) / edge)),
      high = int(floor((plane + planes - 1 + half - grid.offset[d] + hair) / edge));
  if (!cells.periodic[d]) {
    low = low > 0 ? low : 0;
    high = high < cells.count[d] - 1 ? high : cells.count[d] - 1;
  } else if (high - low >= cells.count[d]) {
    return {0, cells.count[d]};
  }
  return {low, high >= low ? high - low + 1 : 0};
}

/// Consecutive points of a block: those of cells along z.
struct TileRun {
  int block = 0;  ///< in the order of a P2G task's buffers
  int first = 0, count = 0;
};

/// The cells whose points can reach a tile of a slab, as runs: columns along z,
/// in several pieces each where they cross from block to block or around the box.
class TileRuns {
 public:
  NEARFAR_FUNCTION TileRuns(P2GArgs const& args, int const* corner, int const* tile) : args_(args) {
    for (int d = 0; d < 3; ++d) span_[d] = cells_reaching(args.grid, args.cells, d, corner[d], tile[d]);
    for (int z = 0; z < span_[2].count; z = end_of_piece(z)) ++pieces_;
  }
  NEARFAR_FUNCTION int count() const { return span_[0].count * span_[1].count * pieces_; }

  /// Run number i; `view(block)` returns an object with the `offset`
  /// of its cells, or a null pointer if another launch has it.
  template <class View>
  NEARFAR_FUNCTION TileRun at(int i, View const& view) const {
    Cells const& c = args_.cells;
    int const piece = i % pieces_, column = i / pieces_;
    int const x = wrap(span_[0].first + column / span_[1].count, c.count[0]),
              y = wrap(span_[1].first + column % span_[1].count, c.count[1]);
    int z = 0;
    for (int p = 0; p < piece; ++p) z = end_of_piece(z);
    int const last = wrap(span_[2].first + end_of_piece(z) - 1, c.count[2]);
    Block const block{{c.block_of(0, x), c.block_of(1, y), c.block_of(2, last)}};
    int const along_x = args_.blocks.place(block.at[0]);
    if (along_x >= args_.blocks.count) return {};
    int const number = (along_x * c.blocks[1] + block.at[1]) * c.blocks[2] + block.at[2];
    auto const* const offset = view(number);
    if (offset == nullptr) return {};
    int const cell = cell_in_block(c, block, x, y, wrap(span_[2].first + z, c.count[2]));
    return {number, offset[cell], offset[cell + end_of_piece(z) - z] - offset[cell]};
  }

 private:
  /// The end of the piece that begins at place z of the span.
  NEARFAR_FUNCTION int end_of_piece(int z) const {
    Cells const& c = args_.cells;
    int const cell = wrap(span_[2].first + z, c.count[2]), end = z + c.first_cell(2, c.block_of(2, cell) + 1) - cell;
    return end < span_[2].count ? end : span_[2].count;
  }

  P2GArgs const& args_;
  CellSpan span_[3];
  int pieces_ = 0;
};

}  // namespace nearfar
