// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/kernels.hpp"

#include <type_traits>

/// X(..., K) for the kernels whose pairs may be softened.
#define NEARFAR_SOFTENED_KERNELS(X, ...) \
  X(__VA_ARGS__, Laplace) X(__VA_ARGS__, LaplaceGradient) X(__VA_ARGS__, LaplaceHessian)

namespace nearfar {

/// Pairs of the kernel may be softened: 1 / r is 1 / sqrt(r^2 + epsilon^2), Plummer's potential, and its derivatives
/// are those of that (Aarseth, Gravitational N-Body Simulations, 2003, Sec. 2.1). They are the kernel's own formulas
/// with the softened inverse distance.
template <class K>
constexpr bool may_be_softened = std::is_same_v<typename K::Sums, LaplaceSums>&& K::strengths == 1;

/// The softened inverse distance of a pair from the square of its distance: 0 at distance zero.
/// `L`: operations of numbers or batches of them (codelets/common/simd/lanes.hpp).
template <class L>
struct SoftInverse {
  typename L::Scalar softening_squared;

  template <class V>
  NEARFAR_FUNCTION V operator()(V r2) const {
    if constexpr (L::count == 1) {
      return r2 > V(0) ? L::inverse_root(r2 + softening_squared) : V(0);
    } else {
      V const inverse = L::inverse_root(r2);
      return inverse * L::inverse_root(V(1) + V(softening_squared) * (inverse * inverse));
    }
  }
};

}  // namespace nearfar
