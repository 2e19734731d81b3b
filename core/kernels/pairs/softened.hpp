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

/// The softened inverse distance, from that without softening, which is 0 at distance zero, as this is.
/// `L`: operations of V (codelets/common/simd/lanes.hpp).
template <class L, class V>
NEARFAR_FUNCTION V softened(V inverse, V softening_squared) {
  return inverse * L::inverse_root(V(1) + softening_squared * (inverse * inverse));
}

}  // namespace nearfar
