// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/sort_cells/sort_cells.hpp"
#include "core/geometry/block_arrays.hpp"

namespace nearfar {

/// Where a task's sorted points go.
template <class T>
BlockArrays<T> sorted_arrays(Buffers const& b, SortCellsArgs const& args) {
  int next = 2;
  auto const& cells = args.frame.cells;
  BlockArrays<T> out{.points = args.points,
                     .cells = cells.count[0] * cells.count[1] * cells.count[2],
                     .stride = b.size<std::uint32_t>(1, 1),
                     .offset = b.get<std::int32_t>(1, 0),
                     .row = b.get<std::uint32_t>(1, 1),
                     .position = b.get<T>(1, next++)};
  if (args.kept.near) out.near = b.get<T>(1, next++);
  if (args.kept.given) out.given = b.get<T>(1, next++);
  if (args.kept.rough) out.rough = b.get<float>(1, next++);
  return out;
}

}  // namespace nearfar
