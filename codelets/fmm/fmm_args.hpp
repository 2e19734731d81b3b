// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// The arguments of the stages of the fast multipole method. Positions are relative to the centre of the
/// root box; the centre of the box at place `at` of a level is corner + half * (2 * at + 1), where `half` is
/// half the edge of the level's boxes and `corner` minus half the edge of the root. Expansions are in units
/// of `half`. If the edges of the root differ, `aspect` is each edge relative to the longest; half, corner
/// and edge are those of the longest, and coordinates of centres and images are multiplied by `aspect`.
struct P2MArgs {
  int order = 0;
  int vectors = 1;  ///< vectors of charges at once
  double half = 0, corner = 0;
  double aspect[3] = {1, 1, 1};
};
struct M2MArgs {
  int order = 0;
  int rhs = 1;  ///< expansions per box: vectors of charges times right-hand sides of the kernel
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
  double corner = 0;  ///< half the edge of a box of level l is -corner / 2^l
  double aspect[3] = {1, 1, 1};
};
struct FmmP2PArgs {
  int vectors = 1;
  double edge = 0;
  double aspect[3] = {1, 1, 1};
  int own = -1;     ///< the source block that holds the targets themselves; -1: targets are not the sources
  double half = 0;  ///< half the longest edge of the leaves: a unit for pairs in single precision
};
struct LatticeArgs {
  int order = 0;
  int rhs = 1;
  int separation = 1;
};

/// Centre of the box at a place on its level.
template <class T>
NEARFAR_FUNCTION void box_centre(double corner, double half, double const aspect[3], std::int32_t const at[3],
                                 T centre[3]) {
  for (int d = 0; d < 3; ++d) centre[d] = T(aspect[d] * (corner + half * (2.0 * at[d] + 1)));
}

/// Numbers of a target in the results, access `out` of a task, whose positions are access `positions`.
template <class T, class Buffers>
int row_of_results(Buffers const& b, int positions, int out, int vectors) {
  std::int64_t const points = vectors * (b.template size<T>(positions) / 3);
  return points > 0 ? int(b.template size<T>(out) / points) : 0;
}

}  // namespace nearfar
