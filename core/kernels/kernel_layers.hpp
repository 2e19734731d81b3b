// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

namespace nearfar {

/// The Stokes kernels consist of a single layer (forces f) and a
/// double layer (dipoles q, n); strengths are ordered f, q, n.
constexpr bool has_single_layer(Kernel kernel) noexcept {
  return kernel == Kernel::stokeslet || kernel == Kernel::stokes;
}
constexpr bool has_double_layer(Kernel kernel) noexcept {
  return kernel == Kernel::stresslet || kernel == Kernel::stokes;
}

/// Numbers per grid point on the way to Fourier space. A double layer needs only
/// one vector, which can hold the forces too, and one scalar (ewald.md, Sec. 5.4).
constexpr int forward_components(Kernel kernel) noexcept {
  if (kernel == Kernel::laplace) return 1;
  return has_double_layer(kernel) ? 4 : 3;
}

/// Numbers per grid point on the way back: phi or u.
constexpr int inverse_components(Kernel kernel) noexcept { return kernel == Kernel::laplace ? 1 : 3; }

}  // namespace nearfar
