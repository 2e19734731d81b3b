// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/pic/pic_grid.hpp"

namespace nearfar {

struct SortArgs {
  PicGrid grid;
};

/// Sorts a block by planes of the grid, keeping the order within a plane, so that scatter finds the particles
/// of a plane, and gather has its field in the cache. Counting sort in one thread; GPUs sort by cells.
template <class T>
struct Sort {
  using Args = SortArgs;
  using Accesses = AccessList<Read,    // phase
                              Read,    // charges
                              Write,   // sorted
                              Write>;  // order
  static constexpr char const* name = "sort";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
