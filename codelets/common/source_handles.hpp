// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/access.hpp"

namespace nearfar {

// What tasks read of each block of sources around them (ReadEach). Bodies name the members, so that their order stands
// here alone.

/// In the near part of an Ewald sum (core/kernels/pairs/packed_source.hpp).
struct Neighbour {
  Handle rough;   ///< positions in single precision
  Handle offset;  ///< where cells begin
  Handle packed;  ///< positions and strengths
};

/// In the far part: what is spread to the grid.
struct SpreadBlock {
  Handle position;
  Handle offset;  ///< where cells begin
  Handle strengths;
};

/// Of a tree, in pairs and in P2L.
struct LeafSources {
  Handle position;
  Handle strengths;
};

}  // namespace nearfar
