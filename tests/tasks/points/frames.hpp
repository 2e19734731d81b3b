// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/frame.hpp"

#include <cstddef>

namespace nearfar::test {

/// Cells of a cube, seven and more along each direction.
template <class T = double>
inline Frame frame_with(bool periodic, int blocks = 3, double edge = 1) {
  Frame frame;
  for (std::size_t d = 0; d < 3; ++d) {
    frame.cells.edge[d] = edge;
    frame.cells.count[d] = 7 + int(d);
    frame.cells.blocks[d] = blocks;
    frame.cells.periodic[d] = periodic;
  }
  frame.cells.cutoff = 0.1;
  set_faces<T>(frame.cells);
  for (std::size_t d = 0; d < 3 && periodic; ++d) frame.origin[d] = first_face(frame.cells, int(d));
  return frame;
}

}  // namespace nearfar::test
