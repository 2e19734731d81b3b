// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/merge/merge.hpp"

namespace nearfar {

/// Merge on one rank for targets that another rank gave: their sums, row by row in the order
/// of the chunk. The same stage in traces and tables, as is the part that the other rank does.
template <class T>
struct MergeForOther {
  using Args = MergeArgs;
  using Accesses = AccessList<ReadMany,  // parts: near, far, or both
                              ReadMany,  // none, or the sum of moments and the positions as the caller gave them
                              Read,      // rows of this block's points
                              Write,     // results of the targets that `given` says
                              Read,      // units of the results
                              Read>;     // which points of the chunk these are
  static constexpr char const* name = Merge<T>::name;
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct TakeResultsArgs {
  int components = 1;
  int count = 0;           ///< number of targets
  int piece = whole_rows;  ///< of the result, rows

  template <class T>
  RowPieces<T> rows(Buffers const& b) const {
    return {b, 2, b.count(2), piece, components};
  }
};

/// Writes the results of MergeForOther to the caller's rows.
template <class T>
struct TakeResults {
  using Args = TakeResultsArgs;
  using Accesses = AccessList<Read,        // results of this rank's targets
                              Read,        // their rows
                              WriteRows>;  // the caller's result
  static constexpr char const* name = Merge<T>::name;
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

/// The same if GPUs run all stages, after MergeAll: into the rows of all targets that this rank gave.
template <class T>
struct TakeMoreResults : TakeResults<T> {
  using Args = TakeResultsArgs;
  using Accesses = AccessList<Read, Read, ReadWriteMany>;
  static void portable(Buffers const& buffers, Args const& args) { TakeResults<T>::portable(buffers, args); }
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
