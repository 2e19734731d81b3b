// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/lists/face_lists.hpp"
#include "tasks/fmm/tree/tree.hpp"

#include <array>
#include <vector>

namespace nearfar::detail {

/// For the virial of a periodic cell: what the blocks of a tree gather across its faces, for each axis, with tables as
/// handles. Blocks of other ranks have none.
class FaceTables {
 public:
  explicit FaceTables(FmmTree const& tree);

  struct Block {
    FaceLists lists;
    Data m2l, p2p, m2p, p2l;  // after the memory they refer to
  };
  Block const& block(int axis, int b) const { return blocks_[std::size_t(axis)][std::size_t(b)]; }

 private:
  std::array<std::vector<Block>, 3> blocks_;
};

}  // namespace nearfar::detail
