// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/count_columns/count_columns.hpp"

namespace nearfar {

/// Where the cells of each block begin.
struct BlocksAt {
  OffsetArrays arrays;
  std::int32_t const* array[OffsetArrays::most] = {};

  BlocksAt(Buffers const& b, int access, OffsetArrays const& arrays_) : arrays(arrays_) {
    for (int a = 0; a < arrays.arrays; ++a) array[a] = b.get<std::int32_t const>(access, a);
  }

  NEARFAR_FUNCTION std::int32_t const* of(Cells const& cells, int block) const {
    int a = 0;
    while (block >= arrays.first[a + 1]) ++a;
    return array[a] + (cells_before_block(cells, block) - cells_before_block(cells, arrays.first[a]));
  }
};

/// Pointers of a task.
struct CountColumnsLaunch {
  CellColumns columns;
  BlocksAt sources, targets;
  ColumnContent* content;

  CountColumnsLaunch(Buffers const& b, CountColumnsArgs const& args)
      : columns(args.columns), sources(b, 0, args.sources),
        targets(b.count(1) > 0 ? BlocksAt(b, 1, args.targets) : sources), content(b.get<ColumnContent>(2)) {}
};

/// Counts on a stream; returns at once. Throws std::runtime_error if the device refuses.
void launch_count_columns(CountColumnsLaunch const& launch, void* stream);

}  // namespace nearfar
