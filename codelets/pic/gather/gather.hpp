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
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)
  static constexpr bool gpu_with_all = true;  ///< where GPUs run all stages of a step, else on CPUs
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
#endif
};

}  // namespace nearfar
