// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/blocks.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

TreeBlocks cut_blocks(Tree const& tree, std::function<double(int level, int box)> const& cost, double grain) {
  TreeBlocks cut;
  for (int level = 0; level <= tree.depth(); ++level) {
    auto const& boxes = tree.levels[std::size_t(level)];
    std::vector<double> costs(boxes.size());
    for (std::size_t b = 0; b < boxes.size(); ++b) costs[b] = cost(level, int(b));
    cut.slots.emplace_back(boxes.size());
    for (bool leaves : {false, true}) {
      double total = 0, done = 0;
      for (std::size_t b = 0; b < boxes.size(); ++b) total += boxes[b].is_leaf() == leaves ? costs[b] : 0;
      double const share = total / std::max(1.0, std::floor(total / grain));
      double bound = 0;  // what the blocks before the next one have between them
      bool open = false;
      for (std::size_t b = 0; b < boxes.size(); ++b) {
        if (boxes[b].is_leaf() != leaves) continue;
        if (!open || done >= bound) {
          cut.blocks.push_back({level, leaves, {}, 0, 0});
          bound = (std::floor(done / share + 1e-9) + 1) * share * (1 - 1e-9);
          open = true;
        }
        TreeBlock& block = cut.blocks.back();
        cut.slots.back()[b] = {std::int32_t(cut.blocks.size()) - 1, std::int32_t(block.size()),
                               std::int32_t(block.sources), std::int32_t(block.targets)};
        block.boxes.push_back(std::int32_t(b));
        block.sources += boxes[b].sources();
        block.targets += boxes[b].targets();
        done += costs[b];
      }
    }
  }
  return cut;
}

}  // namespace nearfar
