// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/pic/motion.hpp"

#include <cstdint>

namespace nearfar {

/// The step count of a block that will take no more steps: a GPU
/// found the failure when later tasks had already been submitted.
inline constexpr std::int64_t broken_clock = -2;

struct PushArgs {
  Motion motion;
  std::int64_t first = 0;  ///< first particle of the block, by the caller's order
  std::int64_t step = 0;   ///< number of the step that this is part of, from 1
};

/// The first half of the acceleration of a block, and its motion. Throws Error{bad_input}
/// if a particle moves farther than the box is wide, or an earlier step has failed.
template <class T>
struct Push {
  using Args = PushArgs;
  using Accesses = AccessList<ReadWrite,   // steps that the block has taken
                              Read,        // field at its particles
                              ReadWrite>;  // phase
  static constexpr char const* name = "push";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct KickArgs {
  Motion motion;
  std::int64_t step = 0;
  bool begins = false;  ///< particles start with their velocities: only the step is recorded
};

/// The second half of the acceleration, which ends the step of a block.
template <class T>
struct Kick {
  using Args = KickArgs;
  using Accesses = AccessList<Read,        // field at its particles
                              ReadWrite,   // phase
                              ReadWrite>;  // steps that the block has taken
  static constexpr char const* name = "kick";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct ClockArgs {
  std::int64_t step = 0;
};

/// For readers: throws Error{bad_input} unless all blocks have taken this many steps.
/// Otherwise an earlier solve has failed, and the particles are not at one time.
struct Clock {
  using Args = ClockArgs;
  using Accesses = AccessList<ReadMany>;  // steps that the blocks have taken
  static constexpr char const* name = "clock";
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
