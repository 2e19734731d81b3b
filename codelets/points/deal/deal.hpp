// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/points/copy/copy.hpp"
#include "codelets/points/copy/row_pieces.hpp"

#include <cstdint>

namespace nearfar {

struct DealStrengthsArgs {
  int row = 1;             ///< numbers in a row, of all vectors
  int vectors = 1;         ///< so many
  std::int64_t first = 0;  ///< source of the stretch, by the caller's order
  int piece = whole_rows;  ///< of the stretch, rows
};

/// Packs strengths of a stretch of the caller's rows for the sources that one of several GPUs sorts, so that nothing
/// else goes there. The same stage in traces and tables as copying them to pinned memory. Throws Error{bad_input} for a
/// NaN or an infinity.
template <class T>
struct DealStrengths {
  using Args = DealStrengthsArgs;
  using Accesses = AccessList<ReadMany,  // rows of the stretch, in pieces
                              Read,      // which of them
                              Write>;    // their rows, packed
  static constexpr char const* name = CopyStrengths<T>::name;
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
