// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/interactions.hpp"

#include <functional>

namespace nearfar {

/// Boxes that tasks work on together: all leaves or all inner, of one level, in Morton order. A block of leaves is also
/// a block of points, leaf by leaf.
struct TreeBlock {
  int level = 0;
  bool leaves = false;
  std::vector<std::int32_t> boxes;         ///< numbers on the level; their places in here are their local indices
  std::uint32_t sources = 0, targets = 0;  ///< points in its boxes

  int size() const noexcept { return int(boxes.size()); }
};

/// Where a box is, and where its points begin among those of a block of leaves.
struct LocalBox {
  std::int32_t block, local;
  std::int32_t first_source, first_target;
};

struct TreeBlocks {
  std::vector<TreeBlock> blocks;                   ///< by level, inner ones first
  std::vector<std::vector<LocalBox>> local_boxes;  ///< [level][box]

  LocalBox local_box(SeenBox const& box) const { return local_boxes[std::size_t(box.level)][std::size_t(box.box)]; }
};

/// Cuts every level into blocks of `grain` or a little more of `cost(level, box)` each, alike in cost. Boxes of one
/// parent stay together, unless they are half a block.
TreeBlocks cut_blocks(Tree const& tree, std::function<double(int level, int box)> const& cost, double grain);

}  // namespace nearfar
