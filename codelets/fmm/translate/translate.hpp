// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/fmm_args.hpp"
#include "codelets/fmm/translate/translate_body.hpp"

namespace nearfar {

/// Multipoles of one block of parents from those of their children; the run table goes by octant.
template <class T>
struct M2M {
  using Args = M2MArgs;
  using Accesses = AccessList<Read,      // operators
                              Read,      // run table
                              ReadMany,  // children's multipoles
                              Write>;    // multipoles
  static constexpr char const* name = "m2m";
  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

/// Locals of one block from the multipoles of boxes well separated from its own; the run
/// table goes by displacement. Writes all boxes, zero for those without interactions.
template <class T>
struct M2L {
  using Args = M2LArgs;
  using Accesses = AccessList<Read,      // operators
                              Read,      // run table
                              ReadMany,  // multipoles
                              Write>;    // locals
  static constexpr char const* name = "m2l";
  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

/// Adds the locals of the parents to those of one block of children; the run table goes by octant.
template <class T>
struct L2L {
  using Args = L2LArgs;
  using Accesses = AccessList<Read,        // operators
                              Read,        // run table
                              ReadMany,    // parents' locals
                              ReadWrite>;  // locals
  static constexpr char const* name = "l2l";
  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
