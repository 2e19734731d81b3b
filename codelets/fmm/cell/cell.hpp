// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"

#include <nearfar/error.hpp>

namespace nearfar {

/// What a block of charges, or a whole cell, says to the boundary far away, for each vector of charges: the charge Q,
/// the dipole moment P about the centre of the cell, the sum of q |x|^2, and the sum of |q|.
inline constexpr int cell_moments = 6;

struct CellMomentArgs {
  int vectors = 1;
};

template <class T>
struct CellMoment {
  using Args = CellMomentArgs;
  using Accesses = AccessList<Read,    // source leaves
                              Read,    // positions, relative to the centre of the cell
                              Read,    // strengths
                              Write>;  // six numbers for each vector of charges
  static constexpr char const* name = "dipole";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)
  static constexpr bool gpu_with_all = true;  ///< where GPUs run all stages of a solve, else on CPUs
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
#endif
};

struct CellSumArgs {
  int vectors = 1;
  bool neutral = false;  ///< the cell has to be
  double rounding = 0;   ///< of the charges, relative
};

/// The error of a cell in vacuum that is charged. `exponent`: of the power of two that brings it into the caller's
/// unit.
Error not_neutral(double charge, int exponent);

/// Adds the moments of all blocks in their order. Throws Error{bad_input} for a charge where there must be none.
struct CellSum {
  using Args = CellSumArgs;
  using Accesses = AccessList<ReadMany,  // moments of all blocks
                              Read,      // units of the strengths, for messages
                              Write>;    // their sum
  static constexpr char const* name = "dipoles";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)
  static constexpr bool gpu_with_all = true;  ///< where GPUs run all stages of a solve, else on CPUs
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
#endif
};

struct CellFieldArgs {
  int vectors = 1;
  double lattice_constant = 0;  ///< of core/fmm/lattice.hpp, for the images that are near
  double edge = 1;              ///< the longest
  double aspect[3] = {1, 1, 1};
};

/// What makes Ewald's sum, with its conductor far away and its background, out of the sum over concentric boxes of
/// cells: conductor_terms of core/fmm/boundary_terms.hpp.
template <class T, bool Gradient>
struct CellField {
  using Args = CellFieldArgs;
  using Accesses = AccessList<Read,    // moments of the cell
                              Read,    // target leaves
                              Read,    // target positions
                              Write>;  // part of the result
  static constexpr char const* name = "cell";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)
  static constexpr bool gpu_with_all = true;  ///< where GPUs run all stages of a solve, else on CPUs
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
#endif
};

}  // namespace nearfar
