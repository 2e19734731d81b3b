// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/points/copy/row_pieces.hpp"
#include "core/geometry/axes.hpp"

#include <nearfar/error.hpp>

#include <cstdint>

namespace nearfar {

struct BinArgs {
  int components = 1;
  RowColumns columns;          ///< of the caller's rows, for each component
  RowShape strengths;          ///< of one vector
  bool in_single = false;      ///< packed for sums in single precision (core/kernels/pairs/packed_source.hpp)
  bool far_in_single = false;  ///< strengths alone in single precision
  RowCut cut{};                ///< of the strengths
  VectorNumber vector{};       ///< of `components` numbers
  VectorNumber together{};     ///< where its numbers stand among those of vectors that are packed together, on CPUs

  /// The caller's column of a component, and numbers in the caller's rows.
  NEARFAR_FUNCTION int column(int m) const { return vector.number * numbers() + columns.of(m); }
  NEARFAR_FUNCTION int row() const { return vector.all * numbers(); }
  NEARFAR_FUNCTION int numbers() const { return columns.callers(components); }  ///< of one vector
};

/// Reorders the strengths of one block into the order of its points, in our units: one array per component for
/// P2G, and packed with the positions for P2P if wanted. Throws Error{bad_input} for a NaN or an infinity.
template <class T>
struct Bin {
  using Args = BinArgs;
  using Accesses = AccessList<ReadMany,    // the caller's strengths, rows, in pieces; and their units
                              Read,        // rows of this block's points
                              Read,        // cell offsets
                              Read,        // positions of this block's points
                              Write,       // strengths of this block, one array per component
                              WriteMany>;  // packed sources of this block, or none
  static constexpr char const* name = "bin";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

/// The same for a vector whose packed sources have the positions and another vector's strengths already.
template <class T>
struct BinMore : Bin<T> {
  using Args = BinArgs;
  using Accesses = AccessList<ReadMany, Read, Read, Read, Write, ReadWriteMany>;
};

/// The error for a bad value in the caller's rows, which hold `vectors` vectors of so many numbers.
Error not_finite(std::uint64_t source, int column, int numbers, int vectors, double value);

}  // namespace nearfar
