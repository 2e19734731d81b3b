// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

struct CheckArgs {
  int vectors = 1;
  int images = 0;  ///< of the cell, to either side in each direction
  double edge = 0;
  double aspect[3] = {1, 1, 1};  ///< edges of the cell by `edge`
};

/// The sum at a sample of targets over all points of some blocks, pair by pair in double
/// precision whatever the precision of the points: the reference for the result of a solve.
template <class T, class K>
struct Check {
  using Args = CheckArgs;
  using Accesses = AccessList<Read,      // targets, doubles: x[stride], y[stride], z[stride]
                              Read,      // how many points each block has
                              ReadMany,  // source positions, strengths: two per block
                              Write>;    // sums, doubles: each component of each vector, [stride]
  static constexpr char const* name = "check";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)
  static constexpr bool gpu_with_all = true;  ///< where GPUs run all stages of a solve, else on CPUs
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
#endif
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
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
