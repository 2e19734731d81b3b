// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm_args.hpp"
#include "codelets/stage.hpp"

namespace nearfar {

/// Locals of a periodic cell from its own multipoles: all images but the near ones (fmm.md, Sec. 2, method A).
template <class T>
struct Lattice {
  using Args = LatticeArgs;
  using Accesses = AccessList<Read,    // lattice table
                              Read,    // multipoles of the root
                              Write>;  // locals of the root
  static constexpr char const* name = "lattice";
  static constexpr unsigned color = 0xddcc77;
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
