// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/geometry/frame.hpp"

namespace nearfar {

/// Forms of the positions that a block keeps beside those in the box (tasks/points/blocked_points.hpp).
struct KeptByBlock {
  bool near = false, given = false, rough = false;
};

struct ArrangeArgs {
  Frame frame;    ///< whose blocks are the pieces
  int piece = 0;
  int points = 0, cells = 0;
  int first = 0;     ///< of the piece's points in the block
  bool last = true;  ///< piece of its block
  KeptByBlock kept;
  bool find_twins = false;
};

/// The points of a block, or of a piece of one, from the buckets of all parts, cell by cell
/// (core/geometry/cell_sort.hpp).
template <class T>
struct Arrange {
  using Args = ArrangeArgs;
  using Accesses = AccessList<ReadMany,   // Buckets of all parts
                              Scratch,    // table that finds two points at one place
                              WriteMany,  // cell offsets, rows, x, y, z; near, given and rough ones where kept
                              Write>;     // whether two points are at one place
  static constexpr char const* name = "arrange";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
