// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"

#include <nearfar/error.hpp>

#include <cstdint>

namespace nearfar {

struct UnloadArgs {
  std::int64_t row = 0;     ///< the caller's row of the first particle
  std::int64_t first = 0;   ///< particle of the block to begin with
  std::int64_t count = 0;   ///< number of particles
  bool velocities = false;  ///< else positions
};

/// The error for a coordinate or velocity of a particle, by the caller's row, that is not finite.
Error not_finite(UnloadArgs const& args, std::int64_t particle, double value);

/// Copies positions or velocities of particles of a block to the caller's rows: three numbers per particle.
/// Throws Error{bad_input} for one that is not finite.
template <class T>
struct Unload {
  using Args = UnloadArgs;
  using Accesses = AccessList<Read,        // phase
                              WriteRows>;  // rows of all particles
  static constexpr char const* name = "unload";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
