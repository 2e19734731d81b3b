// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/points/either_precision.hpp"

namespace nearfar {

struct MomentArgs {
  int forces = 0;  ///< strengths before q and n, 3 or none
  bool single_strengths = false;
};

/// q of a task's sources, and n after it, by component.
template <class T>
EitherPrecision moment_dipole(Buffers const& b, MomentArgs const& args, std::int64_t stride) {
  std::int64_t const first = args.forces * stride;
  if (args.single_strengths) return b.get<float const>(2) + first;
  return b.get<T const>(2) + first;
}

/// What one block of sources adds to the mode k = 0 of the double layer (EwaldOptions::zero_mode): the sums of q.n and
/// of y q.n, in double whatever T is.
template <class T>
struct Moment {
  using Args = MomentArgs;
  using Accesses = AccessList<Read,    // positions as the caller gave them
                              Read,    // cell offsets
                              Read,    // strengths
                              Write>;  // four numbers
  static constexpr char const* name = "moment";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct MomentSumArgs {
  double factor = 1;  ///< -8 pi / V
};

/// Adds the blocks' moments in the order given, so that the bits do not depend on which was ready first.
struct MomentSum {
  using Args = MomentSumArgs;
  using Accesses = AccessList<ReadMany,  // moments of all blocks
                              Write>;    // their sum, times the factor
  static constexpr char const* name = "moments";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

/// Numbers of a moment: q.n and y q.n.
inline constexpr int moment_size = 4;

}  // namespace nearfar
