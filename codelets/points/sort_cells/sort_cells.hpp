// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/geometry/frame.hpp"

#include <cstdint>

namespace nearfar {

/// Forms of the positions that a block keeps beside those in the box (tasks/points/blocked_points.hpp).
struct KeptByBlock {
  bool near = false, given = false, rough = false;
};

struct SortCellsArgs {
  Frame frame;  ///< of one block
  int points = 0;
  KeptByBlock kept;
  bool find_twins = false;
};

/// What may be wrong with a set of points.
struct PointFaults {
  static constexpr std::uint32_t none = ~std::uint32_t(0);
  std::uint32_t bad = none;  ///< the first row that has no place in the box
  std::uint32_t twins = 0;   ///< 1 if two points coincide
};

/// All of the caller's points sorted into the cells of one block, those of a cell in the order of their rows: what
/// loops of tasks do on CPUs (tasks/points/cell_sort.hpp), whole. Where a row is bad, the rest is not defined.
template <class T>
struct SortCells {
  using Args = SortCellsArgs;
  using Accesses = AccessList<Read,       // the caller's points, rows of 3
                              WriteMany,  // cell offsets, rows, positions; near, given and rough ones where kept
                              Write>;     // PointFaults
  static constexpr char const* name = "sort_cells";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
