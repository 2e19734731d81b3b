// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/tree.hpp"

namespace nearfar {

/// Seconds of the parts of a solve.
struct TreeWork {
  int separation;
  bool periodic;
  double images;                     ///< of the cell that are summed directly, itself included
  double pair, link, shifts, point;  ///< shifts: up and down, of one box
};

/// What a tree is expected to cost, its boxes, and the points that a point finds in its leaf.
struct TreeCost {
  double seconds, boxes, crowd;
};

/// Boxes that a box of a full tree sees near and far (fmm.md, Sec. 1.6).
double near_boxes(int separation) noexcept;
double far_boxes(int separation) noexcept;

/// Of a tree whose leaves are all on level `depth`.
TreeCost uniform_cost(Occupancy const& found, int depth, double count, TreeWork const& work);

/// Of a tree whose boxes of more than `capacity` points are divided, down to `level`, of which the keys are.
TreeCost adaptive_cost(SortedKeys const& keys, int level, int capacity, TreeWork const& work);

}  // namespace nearfar
