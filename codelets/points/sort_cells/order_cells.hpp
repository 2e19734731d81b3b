// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/points/copy/row_pieces.hpp"
#include "core/geometry/cell_order.hpp"
#include "core/geometry/frame.hpp"

#include <cstdint>

namespace nearfar {

/// What may be wrong with a set of points.
struct PointFaults {
  static constexpr std::uint32_t none = ~std::uint32_t(0);
  std::uint32_t bad = none;  ///< the first row that has no place in the box
  std::uint32_t twins = 0;   ///< 1 if two points coincide
};

/// Some of all cells, counted block by block.
struct CellRange {
  int first = 0, count = 0;
};

struct OrderCellsArgs {
  Frame frame;
  int points = 0;
  RowCut cut{};  ///< of the points
  CellRange cells;
};

/// Which of the caller's points are in which of some cells: before the blocks are there, whose sizes follow from it.
/// Where a row is bad, in whatever cell, the rest is not defined.
template <class T>
struct OrderCells {
  using Args = OrderCellsArgs;
  using Accesses =
      AccessList<ReadMany,   // the caller's points, rows of 3, in pieces
                 WriteMany,  // rows by cell, in their order, with room for all; where cells begin, and the end
                 Write>;     // PointFaults, without twins
  static constexpr char const* name = "order_cells";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

/// The same on the host. Returns the first bad row.
template <class T>
std::uint32_t order_by_cells(OrderCellsArgs const& args, RowPieces<T const> const& rows, std::int32_t* offset,
                             std::uint32_t* order);

}  // namespace nearfar
