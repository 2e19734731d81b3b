// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

namespace nearfar {

/// What follows from the outputs `pressure` and `gradient` of a flow at one target, in their scale
/// (docs/conventions.md): pressures and stresses are 8 pi times, velocities and their gradients 8 pi mu times those in
/// physical units. So the stress of the results over 8 pi is that of the fluid, whatever its viscosity mu.
///
/// A velocity gradient L is the row of results as it is, nine numbers: L[3 j + m] = du_j / dx_m. T is double or float.
template <class T>
using Tensor = std::array<T, 9>;

/// The stress sigma = -p I + L + L^T, symmetric.
template <class T>
constexpr Tensor<T> stress(T pressure, Tensor<T> const& gradient) noexcept {
  Tensor<T> sigma{};
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t m = 0; m < 3; ++m)
      sigma[3 * j + m] = gradient[3 * j + m] + gradient[3 * m + j] - (j == m ? pressure : T(0));
  return sigma;
}

/// The traction sigma n: the force per area that the fluid on the side to which the unit vector n points exerts on the
/// other.
template <class T>
constexpr std::array<T, 3> traction(T pressure, Tensor<T> const& gradient, std::array<T, 3> const& normal) noexcept {
  Tensor<T> const sigma = stress(pressure, gradient);
  std::array<T, 3> force{};
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t m = 0; m < 3; ++m) force[j] += sigma[3 * j + m] * normal[m];
  return force;
}

/// The rate of strain (L + L^T) / 2, symmetric.
template <class T>
constexpr Tensor<T> strain_rate(Tensor<T> const& gradient) noexcept {
  Tensor<T> strain{};
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t m = 0; m < 3; ++m) strain[3 * j + m] = (gradient[3 * j + m] + gradient[3 * m + j]) / 2;
  return strain;
}

/// The vorticity curl u; a small sphere in the flow turns with half of it.
template <class T>
constexpr std::array<T, 3> vorticity(Tensor<T> const& gradient) noexcept {
  return {gradient[7] - gradient[5], gradient[2] - gradient[6], gradient[3] - gradient[1]};
}

}  // namespace nearfar
