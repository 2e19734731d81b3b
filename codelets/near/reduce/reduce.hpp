// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/geometry/cells.hpp"
#include "core/geometry/point_range.hpp"

namespace nearfar {

/// The most mutual contributions that one task adds.
inline constexpr int max_contributions = 32;

struct ReduceArgs {
  Cells cells;
  Block block;       ///< of targets
  PointRange chunk;  ///< of its points
  int row = 1;       ///< numbers in a row of results
  Block from[max_contributions];
};

/// Adds to the near result of a chunk the mutual contributions of P2P
/// tasks of other blocks (core/geometry/mutual.hpp), in the order given.
template <class T>
struct Reduce {
  using Args = ReduceArgs;
  using Accesses = AccessList<Read,        // cell offsets
                              ReadMany,    // mutual contributions of the blocks `from`
                              ReadWrite>;  // near result
  static constexpr char const* name = "reduce";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
