// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/fmm/fmm_args.hpp"
#include "core/tree/tables.hpp"

#include <nearfar/kernel.hpp>

namespace nearfar {

/// Multipoles of one block of leaves from their points.
template <class T, class Sums>
struct P2M {
  using Args = P2MArgs;
  using Accesses = AccessList<Read,    // leaf table
                              Read,    // positions
                              Read,    // strengths
                              Write>;  // multipoles
  static constexpr char const* name = "p2m";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
#endif
};

/// Adds the contributions of points in leaves larger than the boxes to the locals of one block of boxes.
template <class T, class Sums>
struct P2L {
  using Args = P2LArgs;
  using Accesses = AccessList<Read,        // leaf table of the boxes
                              Read,        // pair table: PointRuns of each box
                              ReadMany,    // source positions, strengths: two per block
                              ReadWrite>;  // locals
  static constexpr char const* name = "p2l";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)
  static constexpr bool gpu_with_all = true;  ///< where GPUs run all stages of a solve, else on CPUs
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
#endif
};

}  // namespace nearfar
