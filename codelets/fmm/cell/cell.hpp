// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"

#include <nearfar/error.hpp>

namespace nearfar {

/// The moments of a block of charges and dipoles, or of a whole cell, that matter to a distant boundary, for each
/// vector of them: the charge Q, the dipole moment P about the centre of the cell, the sum of q |x|^2 + 2 p . x, and
/// the sum of |q|.
inline constexpr int cell_moments = 6;

struct CellMomentArgs {
  int vectors = 1;
  int charges = 1, dipoles = 0;  ///< numbers of them in a row of strengths: the charge, and after it p
};

template <class T>
struct CellMoment {
  using Args = CellMomentArgs;
  using Accesses = AccessList<Read,    // source leaves
                              Read,    // positions, relative to the centre of the cell
                              Read,    // strengths
                              Write>;  // six numbers for each vector of charges
  static constexpr char const* name = "dipole";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct CellSumArgs {
  int vectors = 1;
  bool neutral = false;  ///< the cell must be neutral
  double rounding = 0;   ///< relative rounding of the charges
};

/// The error for a charged cell in vacuum. `exponent`: of the
/// power of two that converts the charge to the caller's unit.
Error not_neutral(double charge, int exponent);

/// Adds the moments of all blocks in order. Throws Error{bad_input} for a charge if the cell must be neutral.
struct CellSum {
  using Args = CellSumArgs;
  using Accesses = AccessList<ReadMany,  // moments of all blocks
                              Read,      // units of the strengths, for messages
                              Write>;    // their sum
  static constexpr char const* name = "dipoles";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct CellFieldArgs {
  int vectors = 1;
  double lattice_constant = 0;  ///< lattice_constant of core/fmm/lattice.hpp, for the near images
  double edge = 1;              ///< the longest one
  double aspect[3] = {1, 1, 1};
};

/// Turns the sum over concentric boxes of cells into Ewald's sum, which has a conductor
/// far away and a background: conductor_terms of core/fmm/boundary_terms.hpp. The potential and its derivatives up to
/// `Slopes`.
template <class T, int Slopes>
struct CellField {
  using Args = CellFieldArgs;
  using Accesses = AccessList<Read,    // moments of the cell
                              Read,    // target leaves
                              Read,    // target positions
                              Write>;  // part of the result
  static constexpr char const* name = "cell";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
