// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/stage.hpp"
#include "core/cells.hpp"
#include "core/share.hpp"

namespace nearfar {

/// Reactions that one task collects.
inline constexpr int most_reactions = 32;

struct CollectArgs {
  Cells cells;
  Block block;  ///< of targets
  Share share;  ///< of its points
  int row = 1;  ///< numbers in a row of results
  Block from[most_reactions];
};

/// Adds to the near result of a share what the P2P tasks of other blocks found for its points (core/reaction.hpp), in
/// the order given.
template <class T>
struct Collect {
  using Args = CollectArgs;
  using Accesses = AccessList<Read,        // cell offsets
                              ReadMany,    // reactions of the blocks `from`
                              ReadWrite>;  // near result
  static constexpr char const* name = "collect";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
