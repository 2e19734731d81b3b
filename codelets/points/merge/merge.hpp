// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/points/copy/row_pieces.hpp"
#include "core/geometry/axes.hpp"
#include "core/geometry/point_range.hpp"

#include <cstdint>
#include <limits>

namespace nearfar {

/// Points whose rows are in an array, numbered with those of other ranks.
struct GivenRows {
  std::uint32_t first = 0, last = std::numeric_limits<std::uint32_t>::max();  ///< [first, last)

  bool all() const { return last == std::numeric_limits<std::uint32_t>::max(); }
  bool have(std::uint32_t row) const { return row >= first && row < last; }
};

struct MergeArgs {
  int components = 1;
  RowColumns columns;  ///< of the caller's rows, for each component
  PointRange chunk;    ///< of the points of a block of targets
  int first_row = 0;   ///< if the first part has a row of so many numbers for each point; 0: it is like the others
  int results = 1;     ///< components for one vector of strengths
  bool single_last = false;  ///< the last part is in single precision
  int piece = whole_rows;    ///< of the result, rows
  GivenRows given{};  ///< only these go out, and the caller's rows begin with the first of them; GPUs have them all
};

/// Adds the parts of a chunk of a block of targets, component after component, in the order given, and puts the sum
/// where the caller's targets are. The mode k = 0 of a
/// double layer, linear in the target's position, joins the last part before that is added: near + far is the whole to
/// the bit. Sums go out in the caller's units; one that is beyond the range of T throws Error{bad_input}.
template <class T>
struct Merge {
  using Args = MergeArgs;
  using Accesses = AccessList<ReadMany,   // parts: near, far, or both
                              ReadMany,   // none, or the sum of moments and the positions as the caller gave them
                              Read,       // rows of this block's points
                              WriteRows,  // the caller's result, rows of `components`
                              Read>;      // units of the results
  static constexpr char const* name = "merge";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

/// The same where GPUs run all stages: into the rows of all targets, which may be in pieces; of the first chunk.
template <class T>
struct MergeAll : Merge<T> {
  using Args = MergeArgs;
  using Accesses = AccessList<ReadMany, ReadMany, Read, WriteMany, Read>;
  static void portable(Buffers const& buffers, Args const& args) { Merge<T>::portable(buffers, args); }
#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
#endif
};

/// The same of further chunks.
template <class T>
struct MergeMore : MergeAll<T> {
  using Args = MergeArgs;
  using Accesses = AccessList<ReadMany, ReadMany, Read, ReadWriteMany, Read>;
};

}  // namespace nearfar
