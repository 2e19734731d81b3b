// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/count_columns/content_of_columns.hpp"
#include "codelets/points/count_columns/count_columns_gpu.hpp"

#include <algorithm>

namespace nearfar {

void CountColumns::portable(Buffers const& b, Args const& args) {
  CountColumnsLaunch const launch(b, args);
  BlockOffsets sources, targets;
  for (int block = 0; block < args.columns.cells.block_count(); ++block) {
    sources.push_back(launch.sources.of(args.columns.cells, block));
    targets.push_back(launch.targets.of(args.columns.cells, block));
  }
  std::ranges::copy(content_of_columns(launch.columns, sources, targets, in_turn), launch.content);
}

}  // namespace nearfar
