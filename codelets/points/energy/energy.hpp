// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/points/merge/part_view.hpp"
#include "core/geometry/point_range.hpp"
#include "core/kernels/description/strength_unit.hpp"
#include "core/kernels/pairs/force.hpp"
#include "core/kernels/virial.hpp"

namespace nearfar {

struct EnergyArgs {
  PointRange chunk;               ///< of the points of a block, whose strengths act on each other
  int components = 1;             ///< of a result: a potential, perhaps its gradient, perhaps its Hessian
  int first_row = 0;              ///< as in MergeArgs
  bool single_last = false;       ///< as in MergeArgs
  bool single_strengths = false;  ///< strengths are in single precision
  EnergyStrengths at;             ///< strengths of a point
  bool virial = false;            ///< else only the energy
  bool near = false;              ///< the first part is that of pairs within the cutoff
  double centre[3] = {};          ///< origin of positions
};

/// What the points of a chunk add to the sums below, in double whatever T is. Tensors have number 3 a + b for axes a,
/// b.
struct EnergyTerms {
  static constexpr int energy = 0,     ///< q phi + p.grad phi
      near_forces = 1,                 ///< F_a x_b, of the near part: force, and coordinate of the near part
      far_forces = near_forces + 9,    ///< the same of all other parts, by the point's position
      near_torques = far_forces + 9,   ///< (d_a phi) p_b of the near part
      far_torques = near_torques + 9,  ///< of all other parts
      all = far_torques + 9;
};
inline constexpr int energy_sums = EnergyTerms::all;

template <class T>
struct Energy {
  using Args = EnergyArgs;
  using Accesses = AccessList<ReadMany,  // parts: near, far, or both
                              Read,      // strengths of the block, by component
                              Read,      // positions of the block
                              Read,      // the same in coordinates of the near part
                              Write>;    // the sums
  static constexpr char const* name = "energy";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

/// The energy in the caller's unit, and its virial by the caller's axes: xx, yy, zz, xy, xz, yz.
inline constexpr int energy_and_virial = 1 + virial_size;

struct EnergySumArgs {
  int axes[3] = {0, 1, 2};  ///< the caller's, for each of ours
  bool moments = false;     ///< strengths are dipole moments alone, whose unit goes with that of gradients
  bool virial = false;      ///< else zeros
  int free = 0;             ///< the first axes do not repeat
};

/// Adds the sums of all chunks, those over their images (codelets/near/images), and those of the far part's modes
/// (FarVirialOperator), in the order given, so that the bits do not depend on which was ready first.
struct EnergySum {
  using Args = EnergySumArgs;
  using Accesses = AccessList<ReadMany,  // sums of all chunks
                              ReadMany,  // sums over images of all chunks, or none
                              ReadMany,  // sums over modes of all groups of columns, or none
                              Read,      // the unit of strengths and results
                              Write>;    // energy and virial
  static constexpr char const* name = "energies";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
