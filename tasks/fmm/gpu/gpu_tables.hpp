// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/boxes.hpp"
#include "core/geometry/targets.hpp"
#include "core/tree/lists/lists.hpp"
#include "core/tree/tree.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/engine/kept_temporaries.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace nearfar::detail {

/// A block of a tree that a GPU has made, with what solves read of it.
struct GpuBlock {
  BoxBlock block;
  int boxes = 0;
  std::uint32_t sources = 0, targets = 0;
  BlockLists lists;                   ///< without words
  Data source_leaves, target_leaves;  ///< or the places of inner boxes that P2L is for
  Data m2m, l2l, m2l, p2p, m2p, p2l;  ///< some are empty
};

/// A tree that a GPU has made: for each level a block of the inner boxes and one of the leaves, if there are any.
struct GpuTables {
  TreeShape shape;
  double pairs_in_leaves = 0;  ///< pairs of sources that share a leaf
  std::vector<GpuBlock> blocks;
  std::shared_ptr<KeptRoom> room{};  ///< has their data, if not null

  int block(BoxBlock const& of) const;  ///< its number; -1: none
};

/// Boxes as MakeBoxes and FindNearBoxes write them, and the numbers of points that the former finds.
struct BoxesOnGpu {
  BoxCounts counts;
  std::vector<Handle> boxes, near;
  std::vector<std::uint64_t> const& numbers;
  Targets targets;
  std::shared_ptr<KeptRoom> room;  ///< for what is made of them; null: anywhere
};

/// The blocks of a tree, and their tables, which are made after what `before` inserts, which may still make `near`, and
/// written beside what `also` inserts. Waits for all of it.
GpuTables make_tables(std::shared_ptr<RuntimeState> const& runtime, BoxesOnGpu const& made, TreeShape const& shape,
                      std::uint32_t few, std::function<void(Graph&)> const& before,
                      std::function<void(Graph&)> const& also);

}  // namespace nearfar::detail
