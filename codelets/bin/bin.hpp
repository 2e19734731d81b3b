// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/stage.hpp"
#include "core/axes.hpp"

#include <cstdint>

namespace nearfar {

struct BinArgs {
  int components = 1;
  RowColumns columns;  ///< of the caller's rows, for each component
};

/// Brings the strengths of one block into the order of its points: one array per component for P2G, records with the
/// positions for P2P where they are wanted. Throws Error{bad_input} for a NaN or an infinity.
template <class T>
struct Bin {
  using Args = BinArgs;
  using Accesses = AccessList<Read,        // the caller's strengths, rows of `components`
                              Read,        // rows of this block's points
                              Read,        // cell offsets
                              Read,        // positions of this block's points
                              Write,       // strengths of this block, one array per component
                              WriteMany>;  // records of this block, or none
  static constexpr char const* name = "bin";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
