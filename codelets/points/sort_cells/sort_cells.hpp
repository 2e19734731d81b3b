// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/sort_cells/order_cells.hpp"

#include <cstdint>

namespace nearfar {

/// Forms of the positions that a block keeps beside those in the box (tasks/points/blocked_points.hpp).
struct KeptByBlock {
  bool near = false, given = false, rough = false;
};

struct SortCellsArgs {
  Frame frame;
  int block = 0;
  int first = 0, first_cell = 0;  ///< of the order that is given, so many points and cells precede those of the block
  int points = 0;                 ///< of the block
  RowCut cut{};                   ///< of the caller's
  KeptByBlock kept;
  bool find_twins = false;
};

/// The points of a block in its cells, those of a cell in the order of their rows: what loops of tasks do on CPUs
/// (tasks/points/cell_sort.hpp), whole. Where a row is bad, the rest is not defined.
template <class T>
struct SortCells {
  using Args = SortCellsArgs;
  using Accesses =
      AccessList<ReadMany,   // the caller's points, rows of 3, in pieces
                 ReadMany,   // as OrderCells writes them for this block and others; or none, if there is one block
                 WriteMany,  // cell offsets, rows, positions; near, given and rough ones where kept
                 Write>;     // PointFaults
  static constexpr char const* name = "sort_cells";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
