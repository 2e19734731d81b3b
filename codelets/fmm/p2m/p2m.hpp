// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/source_handles.hpp"
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
  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

/// Adds the contributions of points in leaves larger than the boxes to the locals of one block of boxes.
template <class T, class Sums>
struct P2L {
  using Args = P2LArgs;
  using Accesses = AccessList<Read,                   // leaf table of the boxes
                              Read,                   // pair table: PointRuns of each box
                              ReadEach<LeafSources>,  // source positions, strengths of each block
                              ReadWrite>;             // locals
  static constexpr char const* name = "p2l";
  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
