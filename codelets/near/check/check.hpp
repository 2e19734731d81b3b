// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/source_handles.hpp"
#include "codelets/common/stage.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

struct CheckArgs {
  int vectors = 1;
  int images = 0;  ///< of the cell, to either side in each direction
  double edge = 0;
  double aspect[3] = {1, 1, 1};  ///< edges of the cell by `edge`
  double softening_squared = 0;  ///< of SoftCheck
};

/// The sum at a sample of targets over all points of some blocks, pair by pair in double
/// precision whatever the precision of the points: the reference for the result of a solve.
template <class T, class K>
struct Check {
  using Args = CheckArgs;
  using Accesses = AccessList<Read,                   // targets, doubles: x[stride], y[stride], z[stride]
                              Read,                   // how many points each block has
                              ReadEach<LeafSources>,  // source positions, strengths of each block
                              Write>;                 // sums, doubles: each component of each vector, [stride]
  static constexpr char const* name = "check";
  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct CheckSumArgs {
  int components = 1;  ///< of all vectors
  RowShape results;    ///< of one
};

/// Adds the sums of blocks at the sample, and the terms of the method itself, in the caller's units.
template <class T>
struct CheckSum {
  using Args = CheckSumArgs;
  using Accesses = AccessList<ReadMany,  // sums of Check
                              ReadMany,  // none, or parts of the sample's results in the precision of the solve
                              Read,      // units of the results
                              Write>;    // the sum, like the others
  static constexpr char const* name = "check_sum";
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
