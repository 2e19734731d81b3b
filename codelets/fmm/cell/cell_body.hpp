// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/cell/cell.hpp"
#include "core/fmm/boundary_terms.hpp"

#include <cstdint>

namespace nearfar {

/// Computes the terms from the moments of one vector of charges.
NEARFAR_FUNCTION BoundaryTerms cell_terms(double const* m, CellFieldArgs const& args) {
  return conductor_terms({m[0], {m[1], m[2], m[3]}, m[4]}, args.edge, args.lattice_constant, args.aspect);
}

/// The potential, and with G also its gradient, at point i, in arrays with stride `stride`.
template <bool G, class T>
NEARFAR_FUNCTION void put_cell_field(BoundaryTerms const& terms, T const* x, std::int64_t stride, int i, T* phi) {
  double const at[3] = {x[i], x[stride + i], x[2 * stride + i]};
  double sum = terms.constant;
  for (int d = 0; d < 3; ++d) sum += (terms.linear[d] + terms.square * at[d]) * at[d];
  phi[i] = T(sum);
  if constexpr (G)
    for (int d = 0; d < 3; ++d) phi[(1 + d) * stride + i] = T(terms.linear[d] + 2 * terms.square * at[d]);
}

}  // namespace nearfar
