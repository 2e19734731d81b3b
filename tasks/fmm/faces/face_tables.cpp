// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/faces/face_tables.hpp"

namespace nearfar::detail {

namespace {

/// All lists of a block: of points that have moved within their boxes, those of boxes are where they were made.
BlockLists all_lists(FmmTree const& tree, int b) {
  BlockLists lists = tree.lists(b);
  if (!tree.planned()) return lists;
  lists.m2l = tree.planned()->lists(b).m2l;
  lists.m2p = tree.planned()->lists(b).m2p;
  return lists;
}

std::vector<std::array<std::int32_t, 3>> places_of(FmmTree const& tree, TreeBlock const& block) {
  std::vector<std::array<std::int32_t, 3>> places;
  for (std::int32_t const box : block.boxes) {
    auto const& at = tree.tree().levels[std::size_t(block.level)][std::size_t(box)].at;
    places.push_back({at[0], at[1], at[2]});
  }
  return places;
}

}  // namespace

FaceTables::FaceTables(FmmTree const& tree) {
  auto const constant = [](char const* name, Gather const& gather) {
    return Data::constant(name, gather.words.data(), std::int64_t(gather.words.size()));
  };
  for (int axis = 0; axis < 3; ++axis) {
    auto& blocks = blocks_[std::size_t(axis)];
    blocks.resize(std::size_t(tree.blocks()));
    for (int b = 0; b < tree.blocks(); ++b) {
      BlockLists const all = all_lists(tree, b);
      if (all.m2l.words.empty() || tree.block(b).boxes.empty()) continue;
      auto const leaves =
          tree.block(b).of_leaves ? leaf_table(tree.tree(), tree.block(b), Side::targets) : std::vector<std::int32_t>();
      Block& block = blocks[std::size_t(b)];
      block.lists = face_lists(all, tree.tree().shape, tree.block(b).level, places_of(tree, tree.block(b)),
                               tree.block(b).of_leaves ? &leaves : nullptr, axis);
      block.m2l = constant("m2l table of faces", block.lists.m2l);
      block.p2p = constant("p2p table of faces", block.lists.p2p);
      block.m2p = constant("m2p table of faces", block.lists.m2p);
      block.p2l = constant("p2l table of faces", block.lists.p2l);
    }
  }
}

}  // namespace nearfar::detail
