// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

namespace nearfar {

/// The grid as particles see it: cells along the caller's axes.
struct CloudGrid {
  int size[3] = {1, 1, 1};
  double cells_per_length[3] = {1, 1, 1};
  bool periodic[3] = {};
};

/// The two cells along an axis between which a particle is shared: its cloud is as wide as a cell (Birdsall
/// and Langdon, 1991, Sec. 2-6). Beyond an open face there is no cell, and both are the outermost.
template <class T>
struct Cloud {
  int low, high;
  T weight;  ///< of the upper cell
};

/// `x`: from 0 to the edge of the box.
template <class T>
NEARFAR_FUNCTION Cloud<T> cloud_at(CloudGrid const& grid, int d, T x) {
  int const n = grid.size[d];
  T const place = x * T(grid.cells_per_length[d]) - T(0.5);
  int const below = place < 0 ? -1 : int(place);
  Cloud<T> cloud{below, below + 1, place - T(below)};
  if (cloud.low < 0) cloud.low = grid.periodic[d] ? n - 1 : 0;
  if (cloud.high >= n) cloud.high = grid.periodic[d] ? 0 : n - 1;
  return cloud;
}

}  // namespace nearfar
