// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/stage.hpp"
#include "core/grid.hpp"

#include <nearfar/kernel.hpp>

namespace nearfar {

struct ScaleArgs {
  Grid grid;
  int group = 0;  ///< of columns
};

/// The columns of one group: transform along x, with zeros after the grid where x is free, multiply by the kernel over
/// the square of the window's transform (ewald.md, Sec. 5.1), transform back; columns beyond the band of the far part
/// become zero. In place in the tiles of all slabs; what
/// comes in may have more components than what goes out, which are then the first ones.
template <class T, Kernel K>
struct Scale {
  using Args = ScaleArgs;
  using Accesses = AccessList<Read,            // tables
                              Read,            // multipliers of all modes
                              Scratch,         // column_batch columns of every component
                              ReadWriteMany>;  // tiles of this group, one per slab
  static constexpr char const* name = "scale";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
