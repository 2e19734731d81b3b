// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/lists/lists.hpp"

namespace nearfar {

/// What a block gathers of boxes and points in images that are shifted by +1 cell or more along one axis of a periodic
/// root; twice, what is shifted by two. Interactions have mirror images, with opposite forces and shifts, so that this
/// is half of what crosses faces of the cell. The blocks are those of all lists, so that buffers keep their numbers.
struct FaceLists {
  Gather m2l, p2p, m2p, p2l;  ///< as in BlockLists; M2L without pairs of parents
};

/// Of a block whose boxes have these `places` on their level. `targets`: its leaf table, or null if it has no leaves.
FaceLists face_lists(BlockLists const& all, TreeShape const& shape, int level,
                     std::vector<std::array<std::int32_t, 3>> const& places, std::vector<std::int32_t> const* targets,
                     int axis);

}  // namespace nearfar
