// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/cell/cell.hpp"
#include "core/fmm/boundary_terms.hpp"

#include <cstdint>

namespace nearfar {

/// Adds point i of arrays with stride `stride` to the moments of one vector.
template <class T>
NEARFAR_FUNCTION void add_cell_moments(CellMomentArgs const& args, T const* x, T const* strength, std::int64_t stride,
                                       int i, double* m) {
  double const charge = args.charges > 0 ? double(strength[i]) : 0.0;
  m[0] += charge;
  for (int d = 0; d < 3; ++d) {
    double const at = x[d * stride + i],
                 dipole = args.dipoles > 0 ? double(strength[(args.charges + d) * stride + i]) : 0.0;
    m[1 + d] += charge * at + dipole;
    m[4] += (charge * at + 2 * dipole) * at;
  }
  m[5] += charge < 0 ? -charge : charge;
}

/// Computes the terms from the moments of one vector of charges.
NEARFAR_FUNCTION BoundaryTerms cell_terms(double const* m, CellFieldArgs const& args) {
  return conductor_terms({m[0], {m[1], m[2], m[3]}, m[4]}, args.edge, args.lattice_constant, args.aspect);
}

/// The potential and its derivatives up to `Slopes`, as in the rows of a kernel, at point i, in arrays with stride
/// `stride`.
template <int Slopes, class T>
NEARFAR_FUNCTION void put_cell_field(BoundaryTerms const& terms, T const* x, std::int64_t stride, int i, T* phi) {
  double const at[3] = {x[i], x[stride + i], x[2 * stride + i]};
  double sum = terms.constant;
  for (int d = 0; d < 3; ++d) sum += (terms.linear[d] + terms.square * at[d]) * at[d];
  phi[i] = T(sum);
  if constexpr (Slopes > 0)
    for (int d = 0; d < 3; ++d) phi[(1 + d) * stride + i] = T(terms.linear[d] + 2 * terms.square * at[d]);
  if constexpr (Slopes > 1)
    for (int j = 0, k = 4; j < 3; ++j)
      for (int m = j; m < 3; ++m, ++k) phi[k * stride + i] = T(j == m ? 2 * terms.square : 0);
}

}  // namespace nearfar
