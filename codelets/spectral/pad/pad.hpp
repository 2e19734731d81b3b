// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/poisson/options.hpp"
#include "core/spectral/layout.hpp"

#include <cstdint>
#include <limits>

namespace nearfar {

struct PadArgs {
  SpectralLayout layout;
  PoissonGrid grid;
  int slab = 0;
};

/// Copies a caller's density, [x][y][z] by the caller's axes, into a slab by our axes; behind an earthed
/// face the negative of its mirror image. Throws Error{bad_input} for a number that is not finite.
template <class T>
struct Pad {
  using Args = PadArgs;
  using Accesses = AccessList<Read,    // density
                              Write>;  // slab
  static constexpr char const* name = "pad";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct RestrictArgs {
  SpectralLayout layout;
  PoissonGrid grid;
  int slab = 0;
  int first = 0;       ///< first component of the slab
  int components = 1;  ///< per cell of the caller: 1, or 3 that turn with the axes
  /// Only the cells [begin, end) of the caller's grid, of which the output has rows.
  std::int64_t begin = 0, end = std::numeric_limits<std::int64_t>::max();
};

/// Copies the caller's cells of a slab back to the caller's order: rows of `components`. Throws Error{bad_input} for a
/// number that is not finite.
template <class T>
struct Restrict {
  using Args = RestrictArgs;
  using Accesses = AccessList<Read,        // slab
                              WriteRows>;  // potential or field
  static constexpr char const* name = "restrict";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
