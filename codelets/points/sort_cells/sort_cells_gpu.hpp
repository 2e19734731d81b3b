// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/sort_cells/sort_cells_buffers.hpp"

namespace nearfar {

/// Pointers of a task.
template <class T>
struct OrderCellsLaunch {
  Frame frame;
  RowPieces<T const> rows;
  int points;
  CellRange cells;
  std::int32_t* offset;  ///< of these
  std::uint32_t* order;
  PointFaults* faults;
};
template <class T>
struct SortCellsLaunch {
  Frame frame;
  RowPieces<T const> rows;
  GivenOrder order;
  BlockArrays<T> out;
  PointFaults* faults = nullptr;
  bool find_twins = false;
};

/// Sort points on a stream; return at once. Throw std::runtime_error if the device refuses.
template <class T>
void launch_order_cells(OrderCellsLaunch<T> const& launch, void* stream);
template <class T>
void launch_sort_cells(SortCellsLaunch<T> const& launch, void* stream);

}  // namespace nearfar
