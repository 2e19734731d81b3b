// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/sort_cells/sort_cells.hpp"
#include "core/geometry/block_arrays.hpp"

namespace nearfar {

/// The order of a block's points, and where its cells begin in that order; null if the task finds that itself.
struct GivenOrder {
  std::uint32_t const* row = nullptr;
  std::int32_t const* offset = nullptr;
};
inline GivenOrder given_order(Buffers const& b, SortCellsArgs const& args) {
  if (b.count(1) == 0) return {};
  return {b.get<std::uint32_t const>(1, 0) + args.first, b.get<std::int32_t const>(1, 1) + args.first_cell};
}

/// Where a task's sorted points go.
template <class T>
BlockArrays<T> sorted_arrays(Buffers const& b, SortCellsArgs const& args) {
  int next = 2;
  BlockArrays<T> out{.points = args.points,
                     .cells = cells_of(args.frame.cells, block_at(args.frame.cells, args.block)),
                     .stride = b.size<std::uint32_t>(2, 1),
                     .offset = b.get<std::int32_t>(2, 0),
                     .row = b.get<std::uint32_t>(2, 1),
                     .position = b.get<T>(2, next++)};
  if (args.kept.near) out.near = b.get<T>(2, next++);
  if (args.kept.given) out.given = b.get<T>(2, next++);
  if (args.kept.rough) out.rough = b.get<float>(2, next++);
  return out;
}

}  // namespace nearfar
