// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/kernels/description/row_shape.hpp"

#include <cstdint>

namespace nearfar {

struct CopyStrengthsArgs {
  RowShape strengths;               ///< of a source in one vector
  int vectors = 1;                  ///< of strengths
  std::int64_t begin = 0, end = 0;  ///< sources, by the caller's order
};

/// Copies a piece of the caller's strengths to pinned memory, from which a GPU fetches
/// them several times as fast; also finds the largest, as stage `largest` does.
template <class T>
struct CopyStrengths {
  using Args = CopyStrengthsArgs;
  using Accesses = AccessList<Read,    // the caller's strengths, rows
                              Write,   // the rows of these sources
                              Write>;  // doubles, as Largest writes them
  static constexpr char const* name = "copy_strengths";
  static void portable(Buffers const& buffers, Args const& args);
};

struct CopyResultsArgs {
  int components = 1;
  std::int64_t first = 0;  ///< first target of the piece, by the caller's order
};

/// Copies a piece of the results, which a GPU has written to pinned memory, to the caller's rows.
template <class T>
struct CopyResults {
  using Args = CopyResultsArgs;
  using Accesses = AccessList<Read,        // rows of these targets
                              WriteRows>;  // the caller's result
  static constexpr char const* name = "copy_results";
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
