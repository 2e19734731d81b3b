// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/lists/interactions.hpp"

#include <functional>

namespace nearfar {

/// Boxes that are processed by one task: all leaves or all inner boxes, of one level,
/// in Morton order. A block of leaves is also a block of points, leaf by leaf.
struct TreeBlock {
  int level = 0;
  bool of_leaves = false;
  std::vector<std::int32_t> boxes;         ///< numbers on the level; a position in this list is a local index
  std::uint32_t sources = 0, targets = 0;  ///< points in its boxes
  int boxes_elsewhere = 0;                 ///< how many there are, if the tree is not in this memory

  int size() const noexcept { return int(boxes.size()) + boxes_elsewhere; }
};

/// The block and local index of a box, and where its points begin among those of a block of leaves.
struct LocalBox {
  std::int32_t block, local;
  std::int32_t first_source, first_target;
};

struct TreeBlocks {
  std::vector<TreeBlock> blocks;                   ///< by level, inner ones first
  std::vector<std::vector<LocalBox>> local_boxes;  ///< [level][box]

  LocalBox local_box(SeenBox const& box) const { return local_boxes[std::size_t(box.level)][std::size_t(box.box)]; }
};

/// Cuts every level into blocks of about equal cost, each with a `cost(level, box)` of `grain`
/// or a little more. Boxes of one parent stay together unless they make up half a block.
TreeBlocks cut_blocks(Tree const& tree, std::function<double(int level, int box)> const& cost, double grain);

}  // namespace nearfar
