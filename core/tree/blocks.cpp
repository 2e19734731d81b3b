// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/blocks.hpp"

#include "core/math/expects.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

TreeBlocks cut_blocks(Tree const& tree, std::function<double(int level, int box)> const& cost, double grain) {
  EXPECTS(grain > 0, grain);
  TreeBlocks cut;
  for (int level = 0; level <= tree.depth(); ++level) {
    auto const& boxes = tree.levels[std::size_t(level)];
    std::vector<double> costs(boxes.size());
    for (std::size_t b = 0; b < boxes.size(); ++b) costs[b] = cost(level, int(b));
    cut.local_boxes.emplace_back(boxes.size());
    for (bool leaves : {false, true}) {
      std::vector<std::size_t> kind;
      double total = 0, done = 0;
      for (std::size_t b = 0; b < boxes.size(); ++b)
        if (boxes[b].is_leaf() == leaves) {
          kind.push_back(b);
          total += costs[b];
        }
      double const share = total / std::max(1.0, std::floor(total / grain));
      double bound = 0;  // cumulated cost at which the next block begins
      for (std::size_t first = 0, last = 0; first < kind.size(); first = last) {
        double together = 0;
        for (; last < kind.size() && boxes[kind[last]].parent == boxes[kind[first]].parent; ++last)
          together += costs[kind[last]];
        if (together > share / 2) {
          last = first + 1;
          together = costs[kind[first]];
        }
        if (first == 0 || done + together / 2 > bound) {
          cut.blocks.push_back({level, leaves, {}, 0, 0});
          bound = std::max(bound, std::floor(done / share + 1e-9) * share) + share;
        }
        for (std::size_t i = first; i < last; ++i) {
          std::size_t const b = kind[i];
          TreeBlock& block = cut.blocks.back();
          cut.local_boxes.back()[b] = {std::int32_t(cut.blocks.size()) - 1, std::int32_t(block.size()),
                                       std::int32_t(block.sources), std::int32_t(block.targets)};
          block.boxes.push_back(std::int32_t(b));
          block.sources += boxes[b].sources();
          block.targets += boxes[b].targets();
        }
        done += together;
      }
    }
  }
  return cut;
}

}  // namespace nearfar
