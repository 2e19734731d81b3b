// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/sort_cells/sort_cells_buffers.hpp"

namespace nearfar {

/// Pointers of a task.
template <class T>
struct SortCellsLaunch {
  Frame frame;
  T const* rows = nullptr;
  BlockArrays<T> out;
  PointFaults* faults = nullptr;
  bool find_twins = false;
};

/// Sorts points on a stream; returns at once. Throws std::runtime_error if the device refuses.
template <class T>
void launch_sort_cells(SortCellsLaunch<T> const& launch, void* stream);

}  // namespace nearfar
