// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/pic/pic_grid.hpp"

namespace nearfar {

struct ScatterArgs {
  PicGrid grid;
  int slab = 0;
};

/// The density of one slab from all particles whose clouds reach it. Cells gather, so each has one
/// writer; particles are added in the caller's order, plane by plane, however blocks and slabs are cut.
template <class T>
struct Scatter {
  using Args = ScatterArgs;
  using Accesses = AccessList<ReadMany,  // sorted, of all blocks
                              ReadMany,  // order, of all blocks
                              Write>;    // slab
  static constexpr char const* name = "scatter";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
