// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/points/merge/part_view.hpp"
#include "core/geometry/point_range.hpp"
#include "core/kernels/strength_unit.hpp"
#include "core/kernels/virial.hpp"

namespace nearfar {

struct EnergyArgs {
  PointRange chunk;               ///< of the points of a block, whose strengths act on each other
  int components = 1;             ///< of a result: a potential, and where there is a virial its gradient
  int first_row = 0;              ///< as in MergeArgs
  bool single_last = false;       ///< as in MergeArgs
  bool single_strengths = false;  ///< strengths are in single precision
  bool pairs = false;             ///< rows of the first part go on with the sums of WithVirial, which are its virial
  int free = 0;                   ///< the first axes, along which forces times positions are summed
  double centre[3] = {};          ///< of the box: origin of x_b
};

/// What the points of a chunk add to the sums below, in double whatever T is.
///   0        sum of q phi
///   1 .. 6   sum of q V, with V the sums over pairs of WithVirial: xx, yy, zz, xy, xz, yz
///   7 .. 15  sum of q (d_a phi) (x - centre)_b of parts without V, number 7 + 3 a + b, for free axes b; 0 for others
inline constexpr int energy_sums = 1 + virial_size + 9;

template <class T>
struct Energy {
  using Args = EnergyArgs;
  using Accesses = AccessList<ReadMany,  // parts: near, far, or both
                              Read,      // strengths of the block, by component
                              Read,      // positions of the block
                              Write>;    // the sums
  static constexpr char const* name = "energy";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)
  static constexpr bool gpu_with_all = true;  ///< where GPUs run all stages of a solve, else on CPUs
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
#endif
};

/// The energy in the caller's unit, and its virial by the caller's axes: xx, yy, zz, xy, xz, yz.
inline constexpr int energy_and_virial = 1 + virial_size;

struct EnergySumArgs {
  int axes[3] = {0, 1, 2};  ///< the caller's, for each of ours
  bool virial = false;      ///< else zeros
  int free = 0;             ///< the first axes do not repeat
};

/// Adds the sums of all chunks, and those of the far part's modes (FarVirialOperator), in the order given, so that the
/// bits do not depend on which was ready first.
struct EnergySum {
  using Args = EnergySumArgs;
  using Accesses = AccessList<ReadMany,  // sums of all chunks
                              ReadMany,  // sums over modes of all groups of columns, or none
                              Read,      // the unit of strengths and results
                              Write>;    // energy and virial
  static constexpr char const* name = "energies";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)
  static constexpr bool gpu_with_all = true;  ///< where GPUs run all stages of a solve, else on CPUs
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
#endif
};

}  // namespace nearfar
