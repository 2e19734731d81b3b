// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/lists/lists.hpp"

#include <cstdint>
#include <vector>

namespace nearfar {

/// The blocks of a tree after boxes have come, gone, or been divided.
struct KeptBlocks {
  TreeBlocks blocks;          ///< with the boxes that there are now, some with none; then new ones
  std::vector<bool> changed;  ///< whether the lists of a block must be made again
};

/// The blocks of `planned`, and `lists` that were made for them with `few`, for the boxes of `now`, a tree in the same
/// root that is divided as there. A new box joins the block of the one before it on its level; a level that had no
/// boxes of its kind gets a block of its own.
KeptBlocks keep_blocks(Tree const& planned, TreeBlocks const& blocks, std::vector<BlockLists> const& lists,
                       Tree const& now, std::uint32_t few);

}  // namespace nearfar
