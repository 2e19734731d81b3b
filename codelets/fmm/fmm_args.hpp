// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// What the stages of the fast multipole method are told beside their buffers. Positions are relative to the centre of
/// the root box; the centre of the box at place `at` of a level is corner + half * (2 * at + 1), where half is half
/// the side of the level's boxes and corner is minus half the side of the root. Expansions are in units of `half`.
/// The root may be a box with unequal edges: `aspect` is each edge by the longest one; half, corner and edge are then
/// those of the longest, and coordinates of centres and images are multiplied by it.
struct P2MArgs {
  int order = 0;
  int vectors = 1;  ///< charge vectors at once
  double half = 0, corner = 0;
  double aspect[3] = {1, 1, 1};
};
struct M2MArgs {
  int order = 0;
  int rhs = 1;  ///< expansions per box: charge vectors times right-hand sides of the kernel
};
struct M2LArgs {
  int order = 0;
  int rhs = 1;
  int separation = 1;
};
struct P2LArgs {
  int order = 0;
  int vectors = 1;
  double half = 0, corner = 0;
  double edge = 0;  ///< of the cell, for images
  double aspect[3] = {1, 1, 1};
};
struct L2LArgs {
  int order = 0;
  int rhs = 1;
};
struct L2PArgs {
  int order = 0;
  int vectors = 1;
  double half = 0, corner = 0;
  double aspect[3] = {1, 1, 1};
};
struct M2PArgs {
  int order = 0;
  int vectors = 1;
  double corner = 0;  ///< half the side of a box of level l is -corner / 2^l
  double aspect[3] = {1, 1, 1};
};
struct FmmP2PArgs {
  int vectors = 1;
  double edge = 0;
  double aspect[3] = {1, 1, 1};
  int own = -1;  ///< which of the source blocks holds the targets themselves; -1: targets are not the sources
};
struct LatticeArgs {
  int order = 0;
  int rhs = 1;
  int separation = 1;
};

/// Centre of the box at a place of its level.
template <class T>
NEARFAR_FUNCTION void box_centre(double corner, double half, double const aspect[3], std::int32_t const at[3],
                                 T centre[3]) {
  for (int d = 0; d < 3; ++d) centre[d] = T(aspect[d] * (corner + half * (2.0 * at[d] + 1)));
}

}  // namespace nearfar
