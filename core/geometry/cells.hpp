// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/lattice.hpp"
#include "core/math/cut.hpp"
#include "core/math/cyclic_range.hpp"

namespace nearfar {

/// The box cut into equal cells, and the cells into bricks: the blocks of points. A block's points are stored cell by
/// cell, z fastest, so that a run of cells along z is one run of points. Axes are ours (core/geometry/axes.hpp). Plain
/// data: it travels inside task arguments.
struct Cells {
  double edge[3] = {1, 1, 1};  ///< box edges
  double face[3] = {1, 1, 1};  ///< the same, rounded to the precision of the points (core/geometry/near_frame.hpp)
  int count[3] = {1, 1, 1};    ///< cells per direction
  int blocks[3] = {1, 1, 1};   ///< blocks per direction
  int halo = 0;                ///< as in Cut, along x
  int parts = 1;               ///< as in Cut, along x
  bool periodic[3] = {true, true, true};
  double cutoff = 0;  ///< radius of the near part
  /// The box has other angles than right ones. Its edges then are the lengths of its `row`s, along which positions on
  /// the grid, cells and blocks are counted: all that counts cells is as in a box of these edges. Distances need
  /// Cartesian coordinates, which the near part has (core/geometry/frame.hpp): there an image is away by whole rows.
  bool skewed = false;
  double row[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double thickness[3] = {1, 1, 1};  ///< distance of two faces over the edge between them

  NEARFAR_FUNCTION double cell_edge(int d) const { return edge[d] / count[d]; }

  /// How many cells on either side can hold a point within the cutoff.
  NEARFAR_FUNCTION int reach(int d) const {
    double const ratio = cutoff / (cell_edge(d) * thickness[d]);
    int const whole = int(ratio);
    return whole < ratio ? whole + 1 : whole;
  }

  /// The square of the cutoff plus a margin, because cells are found with rounded divisions.
  NEARFAR_FUNCTION double reach_squared() const { return cutoff * cutoff * (1 + 1e-5); }

  /// Whether a cell with this unwrapped number exists, or an image of one does.
  NEARFAR_FUNCTION bool has(int d, int cell) const { return periodic[d] || (cell >= 0 && cell < count[d]); }

  /// Cell of a wrapped coordinate.
  NEARFAR_FUNCTION int cell(int d, double x) const {
    int const c = int(x / edge[d] * count[d]);
    return c < count[d] ? c : count[d] - 1;
  }

  /// How the cells of a direction are cut into blocks.
  NEARFAR_FUNCTION Cut cut(int d) const { return {count[d], blocks[d], d == 0 ? halo : 0, d == 0 ? parts : 1}; }
  NEARFAR_FUNCTION int first_cell(int d, int block) const { return cut(d).first(block); }
  NEARFAR_FUNCTION int cells_in(int d, int block) const { return cut(d).size(block); }
  NEARFAR_FUNCTION int block_of(int d, int cell) const { return cut(d).of(cell); }
  NEARFAR_FUNCTION int block_count() const { return blocks[0] * blocks[1] * blocks[2]; }
  NEARFAR_FUNCTION double volume() const;
};

NEARFAR_FUNCTION double Cells::volume() const {
  double const box = edge[0] * edge[1] * edge[2];
  if (!skewed) return box;
  double across[3];
  cross(row[1], row[2], across);
  return fabs(dot(row[0], across));
}

/// A block by its place in the brick of blocks.
struct Block {
  int at[3] = {0, 0, 0};
};

NEARFAR_FUNCTION Block block_at(Cells const& cells, int number) {
  int const z = number % cells.blocks[2];
  int const rest = number / cells.blocks[2];
  return {{rest / cells.blocks[1], rest % cells.blocks[1], z}};
}

NEARFAR_FUNCTION int block_number(Cells const& cells, int x, int y, int z) {
  return (x * cells.blocks[1] + y) * cells.blocks[2] + z;
}

/// Index of a cell (given globally) among the cells of its block.
NEARFAR_FUNCTION int cell_in_block(Cells const& cells, Block const& block, int cx, int cy, int cz) {
  int const x = cx - cells.first_cell(0, block.at[0]);
  int const y = cy - cells.first_cell(1, block.at[1]);
  int const z = cz - cells.first_cell(2, block.at[2]);
  return (x * cells.cells_in(1, block.at[1]) + y) * cells.cells_in(2, block.at[2]) + z;
}

/// The blocks that a run of unwrapped cells [first, last] touches along one direction.
NEARFAR_FUNCTION CyclicRange blocks_of_cells(Cells const& cells, int d, int first, int last) {
  int const n = cells.blocks[d];
  if (!cells.periodic[d]) {
    int const low = cells.block_of(d, first > 0 ? first : 0);
    int const high = cells.block_of(d, last < cells.count[d] ? last : cells.count[d] - 1);
    return {low, high - low + 1, n};
  }
  if (last - first + 1 >= cells.count[d]) return {0, n, n};
  int const a = cells.block_of(d, wrap(first, cells.count[d]));
  int const b = cells.block_of(d, wrap(last, cells.count[d]));
  int const span = b >= a ? b - a + 1 : b - a + 1 + n;
  // A run that leaves a block on one side and re-enters it on the other touches all blocks.
  bool const around = a == b && wrap(first, cells.count[d]) > wrap(last, cells.count[d]);
  return around ? CyclicRange{0, n, n} : CyclicRange{a, span, n};
}

/// The source blocks that can hold neighbours of a target block: the product of three ranges, x slowest.
struct Neighbours {
  CyclicRange range[3];

  NEARFAR_FUNCTION int count() const { return range[0].count * range[1].count * range[2].count; }
  NEARFAR_FUNCTION int block(Cells const& cells, int i) const {
    int const z = i % range[2].count;
    int const rest = i / range[2].count;
    return block_number(cells, range[0].item(rest / range[1].count), range[1].item(rest % range[1].count),
                        range[2].item(z));
  }
  NEARFAR_FUNCTION int place(int x, int y, int z) const {
    return (range[0].place(x) * range[1].count + range[1].place(y)) * range[2].count + range[2].place(z);
  }
};

NEARFAR_FUNCTION Neighbours neighbours(Cells const& cells, Block const& block) {
  Neighbours n;
  for (int d = 0; d < 3; ++d) {
    int const first = cells.first_cell(d, block.at[d]);
    int const last = cells.first_cell(d, block.at[d] + 1) - 1;
    n.range[d] = blocks_of_cells(cells, d, first - cells.reach(d), last + cells.reach(d));
  }
  return n;
}

}  // namespace nearfar
