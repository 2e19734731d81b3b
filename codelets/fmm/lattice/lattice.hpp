// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/fmm/fmm_args.hpp"

namespace nearfar {

/// The root's local from its multipole: all images of the cell that are not near (core/fmm/lattice.hpp).
template <class T>
struct Lattice {
  using Args = LatticeArgs;
  using Accesses = AccessList<Read,    // lattice table
                              Read,    // multipole of the root, one box
                              Write>;  // local of the root
  static constexpr char const* name = "lattice";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
