// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/cell_columns/cell_columns_gpu.hpp"
#include "codelets/points/cell_columns/count_columns.hpp"

#include <algorithm>

namespace nearfar {

void CountCells::portable(Buffers const& b, Args const& args) {
  CellColumnsLaunch const launch(b, args);
  BlockOffsets sources, targets;
  for (int block = 0; block < args.cells.block_count(); ++block) {
    sources.push_back(launch.sources.of(args.cells, block));
    targets.push_back(launch.targets.of(args.cells, block));
  }
  std::ranges::copy(count_columns(args.cells, sources, targets, in_turn), launch.content);
}

}  // namespace nearfar
