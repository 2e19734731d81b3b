// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/stage.hpp"
#include "core/axes.hpp"
#include "core/share.hpp"

#include <cstdint>

namespace nearfar {

struct MergeArgs {
  int components = 1;
  RowColumns columns;  ///< of the caller's rows, for each component
  Share share;         ///< of the points of a block of targets
  int first_row = 0;   ///< if the first part has a row of so many numbers for each point; 0: it is like the others
};

/// Adds the parts of a share of a block of targets, component after component, in the order given, and puts the sum
/// where the caller's targets are. Shares have no target in common, so tasks may run in any order. The mode k = 0 of a
/// double layer, linear in the target's position, joins the last part before that is added: near + far is the whole to
/// the bit.
template <class T>
struct Merge {
  using Args = MergeArgs;
  using Accesses = AccessList<ReadMany,  // parts: near, far, or both
                              ReadMany,  // none, or the sum of moments and the positions as the caller gave them
                              Read,      // rows of this block's points
                              Scatter>;  // the caller's result, rows of `components`
  static constexpr char const* name = "merge";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
