// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

namespace nearfar {

/// Numbers for the integer displacements between boxes of one level, target - source, that a translation
/// can have: each component at most 2 * separation + 1 in size, x slowest. The same on every level.
NEARFAR_FUNCTION int vector_reach(int separation) { return 2 * separation + 1; }
NEARFAR_FUNCTION int vector_width(int separation) { return 2 * vector_reach(separation) + 1; }
NEARFAR_FUNCTION int vector_count(int separation) {
  int const width = vector_width(separation);
  return width * width * width;
}
NEARFAR_FUNCTION int vector_id(int dx, int dy, int dz, int separation) {
  int const reach = vector_reach(separation), width = vector_width(separation);
  return ((dx + reach) * width + dy + reach) * width + dz + reach;
}
NEARFAR_FUNCTION void vector_of(int id, int separation, int d[3]) {
  int const reach = vector_reach(separation), width = vector_width(separation);
  d[2] = id % width - reach;
  d[1] = id / width % width - reach;
  d[0] = id / width / width - reach;
}

/// Which child of its parent a box is: one bit of its place per direction, x highest.
NEARFAR_FUNCTION int octant_of(int x, int y, int z) { return (x & 1) << 2 | (y & 1) << 1 | (z & 1); }

}  // namespace nearfar
