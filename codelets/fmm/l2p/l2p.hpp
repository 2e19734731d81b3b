// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/fmm/fmm_args.hpp"
#include "core/tree/tables.hpp"

#include <nearfar/kernel.hpp>

namespace nearfar {

/// The far field at the points of one block of leaves, from the leaves' locals. E: the `Evaluation` of a kernel, of
/// whose numbers the first of each target are wanted, as many as there is room for.
template <class T, class E>
struct L2P {
  using Args = L2PArgs;
  using Accesses = AccessList<Read,    // leaf table
                              Read,    // target positions
                              Read,    // locals
                              Write>;  // far result
  static constexpr char const* name = "l2p";
  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

/// Evaluates multipoles of boxes smaller than their leaf at the
/// points of one block of leaves; zero where there are none.
template <class T, class E>
struct M2P {
  using Args = M2PArgs;
  using Accesses = AccessList<Read,      // leaf table
                              Read,      // pair table: FarBoxes of each leaf
                              Read,      // target positions
                              ReadMany,  // multipoles
                              Write>;    // a part of the result
  static constexpr char const* name = "m2p";
  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
