// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/source_handles.hpp"
#include "codelets/common/stage.hpp"
#include "codelets/fmm/fmm_args.hpp"
#include "core/kernels/kernels.hpp"
#include "core/tree/tables.hpp"

namespace nearfar {

/// Sums at the points of one block of leaves the contributions of near points, pair by pair;
/// points at distance zero contribute nothing. If the targets are the sources and leaves are
/// large enough, the tuned body sums pairs within the block once for both points. Pairs have precision A in the tuned
/// bodies: in single precision inside a solve in double, differences of points still have the digits of double, and
/// sums of many pairs and very close pairs are summed in double (close_pairs.hpp).
template <class T, class K, class A = T>
struct FmmP2P {
  using Args = FmmP2PArgs;
  using Accesses = AccessList<Read,                   // leaf table
                              Read,                   // pair table: PointRuns of each leaf
                              Read,                   // target positions
                              ReadEach<LeafSources>,  // source positions, strengths of each block
                              Write>;                 // near result
  static constexpr char const* name = "leaf_p2p";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
