// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/geometry/cell_columns.hpp"
#include "core/geometry/cell_order.hpp"

namespace nearfar {

/// The offsets of all cells, block by block, in arrays that each have some blocks.
struct OffsetArrays {
  static constexpr int most = 32;

  int arrays = 0;
  int first[most + 1] = {};  ///< block of each, and the end
};

struct CountColumnsArgs {
  CellColumns columns;
  OffsetArrays sources, targets;
};

/// What lies in columns of cells: how much work is where, for the host to cut.
struct CountColumns {
  using Args = CountColumnsArgs;
  using Accesses = AccessList<ReadMany,  // where the cells of the sources begin, in each array from any number on
                              ReadMany,  // the same of targets; or none: they are the sources
                              Write>;    // ColumnContent of the pieces of all columns
  static constexpr char const* name = "count_columns";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
