// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/points/copy/row_pieces.hpp"
#include "core/geometry/axes.hpp"
#include "core/geometry/point_range.hpp"

#include <cstdint>
#include <limits>

namespace nearfar {

/// Which rows are in an array of this rank, where rows are numbered over all ranks.
struct GivenRows {
  std::uint32_t first = 0, last = std::numeric_limits<std::uint32_t>::max();  ///< [first, last)

  bool all() const { return last == std::numeric_limits<std::uint32_t>::max(); }
  NEARFAR_FUNCTION bool have(std::uint32_t row) const { return row >= first && row < last; }
};

struct MergeArgs {
  int components = 1;
  RowColumns columns;  ///< of the caller's rows, for each component; some may go to none
  PointRange chunk;    ///< of the points of a block of targets
  int first_row = 0;   ///< if the first part has a row of so many numbers for each point; 0: it is like the others
  RowShape results;    ///< for one vector of strengths
  bool single_last = false;  ///< the last part is in single precision
  int piece = whole_rows;    ///< of the result, rows
  GivenRows given{};         ///< only these go out, and the caller's rows begin with the first of them
  /// Where a velocity gradient begins in a row: the mode k = 0 adds to its diagonal. Beyond the row: there is none.
  int gradient = std::numeric_limits<int>::max();
  VectorNumber vector{};  ///< of `components` numbers
  int first_number = 0;   ///< which number of the first part's row is component 0

  /// The caller's column of a component, -1 for none; the first of this vector; and numbers in the caller's rows.
  NEARFAR_FUNCTION int column(int m) const { return columns.of(m) < 0 ? -1 : first_column() + columns.of(m); }
  NEARFAR_FUNCTION int first_column() const { return vector.all > 1 ? vector.number * columns.callers(components) : 0; }
  NEARFAR_FUNCTION int row() const { return vector.all * columns.callers(components); }
};

/// Adds the parts of a chunk of targets, component by component in the order given, and writes the
/// sums to the rows of the caller's targets. The mode k = 0 of a double layer, linear in the target's
/// position, is added to the last part first: near + far equals the whole to the last bit. Sums are
/// converted to the caller's units; one that is out of the range of T throws Error{bad_input}.
template <class T>
struct Merge {
  using Args = MergeArgs;
  using Accesses = AccessList<ReadMany,   // parts: near, far, or both
                              ReadMany,   // none, or the sum of moments and the positions as the caller gave them
                              Read,       // rows of this block's points
                              WriteRows,  // the caller's result
                              Read>;      // units of the results
  static constexpr char const* name = "merge";
  static void portable(Buffers const& buffers, Args const& args);
};

/// The same if GPUs run all stages: into the rows of all targets that this rank gave, possibly in pieces; the first.
template <class T>
struct MergeAll : Merge<T> {
  using Args = MergeArgs;
  using Accesses = AccessList<ReadMany, ReadMany, Read, WriteMany, Read>;
  static void portable(Buffers const& buffers, Args const& args) { Merge<T>::portable(buffers, args); }
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

/// The same after the first.
template <class T>
struct MergeMore : MergeAll<T> {
  using Args = MergeArgs;
  using Accesses = AccessList<ReadMany, ReadMany, Read, ReadWriteMany, Read>;
};

}  // namespace nearfar
