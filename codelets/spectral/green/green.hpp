// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/poisson/green.hpp"

#include <cstdint>

namespace nearfar {

/// Numbers of a plane of the table, y and z modes.
inline std::int64_t green_plane(GreenFunction const& green) {
  return std::int64_t(green.axis[1].modes()) * green.axis[2].modes();
}

/// Doubles of scratch for either stage.
std::int64_t green_scratch(GreenFunction const& green);

struct GreenPlanesArgs {
  GreenFunction green;
  int first = 0, count = 0;  ///< samples along x
};

/// Samples of the Green's function in (y, z) planes, transformed to modes along
/// y and z: [x sample][y][z], in double whatever the precision of the solve.
struct GreenPlanes {
  using Args = GreenPlanesArgs;
  using Accesses = AccessList<Read,     // shared_terms
                              Scratch,  // green_scratch
                              Write>;   // planes of these samples
  static constexpr char const* name = "green";
  static void portable(Buffers const& buffers, Args const& args);
  static constexpr bool gpu_built = gpu_transforms_built;
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct GreenColumnsArgs {
  GreenFunction green;
  std::int64_t first = 0, count = 0;  ///< columns, numbered [y][z]
  double factor = 1;                  ///< on all of them: the normalisation of a solve's transforms
};

/// Transforms columns along x to modes: the rows of a ModeTable of one section, [y][z][x].
template <class T>
struct GreenColumns {
  using Args = GreenColumnsArgs;
  using Accesses = AccessList<ReadMany,    // planes, in the order of their samples
                              Scratch,     // green_scratch
                              WriteRows>;  // table
  static constexpr char const* name = "green_columns";
  static void portable(Buffers const& buffers, Args const& args);
  static constexpr bool gpu_built = gpu_transforms_built;
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct GreenTurnArgs {};

/// Does nothing. Tasks that fill a table have separate handles for their rows; this
/// orders them with respect to the solves before and after, which read the whole table.
struct GreenTurn {
  using Args = GreenTurnArgs;
  using Accesses = AccessList<ReadWrite,       // table
                              ReadWriteMany>;  // its rows
  static constexpr char const* name = "green_turn";
  static void portable(Buffers const&, Args const&) {}
};

}  // namespace nearfar
