// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/pic/pic_grid.hpp"

namespace nearfar {

struct SortArgs {
  PicGrid grid;
};

/// Sorts a block by planes of the grid, particles of one plane staying in their order: scatter then finds those of a
/// plane, and gather finds the field of a plane in its cache. By counting; in one thread. On GPUs by cells.
template <class T>
struct Sort {
  using Args = SortArgs;
  using Accesses = AccessList<Read,    // phase
                              Read,    // charges
                              Write,   // sorted
                              Write>;  // order
  static constexpr char const* name = "sort";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)
  static constexpr bool gpu_with_all = true;  ///< where GPUs run all stages of a step, else on CPUs
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
#endif
};

}  // namespace nearfar
