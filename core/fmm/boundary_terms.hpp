// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/constants.hpp"
#include "core/math/function.hpp"

namespace nearfar {

/// Sums over the charges of a cell, with positions relative to its centre or any other fixed point.
struct CellMoments {
  double charge = 0;      ///< sum of q
  double dipole[3] = {};  ///< sum of q x
  double second = 0;      ///< sum of q |x|^2
};

/// The term to add, at one point, to the sum over near images and the lattice operator (fmm.md, Sec. 2,
/// tin-foil): phi = constant + linear . x + square |x|^2. A charged cell gets a uniform neutralising
/// background. In vacuum the sum is over growing spheres of cells and depends on which images are in the cell.
struct BoundaryTerms {
  double constant = 0;
  double linear[3] = {};
  double square = 0;
};

/// With a conductor around all cells. `edge`: the longest edge of the cell; `aspect`: its edges
/// relative to that; `lattice_constant`: the value of the function of that name (core/fmm/lattice.hpp).
NEARFAR_FUNCTION BoundaryTerms conductor_terms(CellMoments const& moments, double edge, double lattice_constant,
                                               double const aspect[3]) {
  double const factor = 2 * pi<double> / (3 * edge * edge * edge * aspect[0] * aspect[1] * aspect[2]);
  BoundaryTerms terms;
  terms.square = factor * moments.charge;
  terms.constant = moments.charge * lattice_constant / edge + factor * moments.second;
  for (int d = 0; d < 3; ++d) terms.linear[d] = -2 * factor * moments.dipole[d];
  return terms;
}

}  // namespace nearfar
