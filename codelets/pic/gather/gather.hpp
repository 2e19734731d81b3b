// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/pic/pic_grid.hpp"

namespace nearfar {

struct GatherArgs {
  PicGrid grid;
};

/// The field at the particles of one block, interpolated by the weights of their clouds.
template <class T>
struct Gather {
  using Args = GatherArgs;
  using Accesses = AccessList<ReadMany,  // field of all slabs, three components by our axes
                              Read,      // sorted
                              Read,      // order
                              Write>;    // field at the particles
  static constexpr char const* name = "gather";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
