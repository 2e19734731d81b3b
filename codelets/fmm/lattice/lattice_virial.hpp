// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/lattice/lattice.hpp"
#include "core/kernels/virial.hpp"

namespace nearfar {

struct LatticeVirialArgs {
  int order = 0;
  double half = 1;                    ///< half the longest edge of the cell, the unit of its expansion
  double volume = 1;                  ///< of the cell
  bool conductor = true;              ///< around all cells, as in CellField
  double constant[virial_size] = {};  ///< lattice_constant_by_strain (core/fmm/lattice_strain.hpp)
};

/// What the images that are not near add to a virial, where positions are those in the cell: minus the derivative of
/// their energy by a strain of the lattice alone (fmm.md, Sec. 2). Among the sums that a block's points have
/// (codelets/points/energy). The same stage in traces as the field of these images.
template <class T>
struct LatticeVirial {
  using Args = LatticeVirialArgs;
  using Accesses = AccessList<Read,    // lattice_strain table
                              Read,    // multipole of the root, one box
                              Read,    // moments of the cell
                              Write>;  // the sums
  static constexpr char const* name = Lattice<T>::name;
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
