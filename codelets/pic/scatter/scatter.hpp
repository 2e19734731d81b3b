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
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)
  static constexpr bool gpu_with_all = true;  ///< where GPUs run all stages of a step, else on CPUs
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
#endif
};

}  // namespace nearfar
