// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/cut_parts.hpp"
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

/// How a tree is cut into parts, one for each GPU.
struct Parted {
  int parts = 1;
  PartsWanted wanted{};  ///< after that, where they begin

  int owner(BoxBlock const& block) const { return parts > 1 ? block.part : everywhere; }  ///< its GPU
};

/// A block of a tree that a GPU has made, with what solves read of it.
struct GpuBlock {
  BoxBlock block;
  int boxes = 0;
  std::uint32_t sources = 0, targets = 0;
  BlockLists lists;                   ///< without words
  Data source_leaves, target_leaves;  ///< or the places of inner boxes that P2L is for
  Data m2m, l2l, m2l, p2p, m2p, p2l;  ///< some are empty
};

/// A tree that a GPU has made: for each level and part a block of the inner boxes and one of the leaves, if there are
/// any.
struct GpuTables {
  TreeShape shape;
  Parted parted{};             ///< how it is cut into parts
  double pairs_in_leaves = 0;  ///< pairs of sources that share a leaf
  std::vector<GpuBlock> blocks;
  std::shared_ptr<KeptRoom> room{};  ///< has their data, if not null

  int block(BoxBlock const& of) const;  ///< its number; -1: none
};

/// Boxes as MakeBoxes and FindNearBoxes write them, and where the parts of each level begin.
struct BoxesOnGpu {
  BoxCounts counts;
  PartBegins parts;
  std::vector<Handle> boxes, near;
  Targets targets;
  std::shared_ptr<KeptRoom> room;  ///< for what is made of them; null: anywhere
};

/// The blocks of a tree with this shape and these parts, and their tables, which are made after what `before` inserts,
/// which may still make `near`, and written beside what `also` inserts for the blocks. Waits for all of it.
GpuTables make_tables(std::shared_ptr<RuntimeState> const& runtime, BoxesOnGpu const& made, GpuTables tree,
                      std::uint32_t few, std::function<void(Graph&)> const& before,
                      std::function<void(Graph&, GpuTables const&)> const& also);

}  // namespace nearfar::detail
