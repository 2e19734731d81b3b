// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/stage.hpp"

#include <nearfar/kernel.hpp>

namespace nearfar {

struct DirectArgs {
  int block = 0;
};

/// The plain free-space sum onto one block of targets, in long double: the oracle.
template <Kernel K, bool Gradient>
struct Direct {
  using Args = DirectArgs;
  using Accesses = AccessList<Read,    // sources, rows of 3
                              Read,    // strengths, rows
                              Read,    // targets of this block, rows of 3
                              Write>;  // results of this block, rows
  static constexpr char const* name = "direct";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
