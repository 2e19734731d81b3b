// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace nearfar {

/// The far part of 1 / r by which a kernel is split (ewald.md, Sec. 1), as a multiplier in Fourier space.
enum class Base {
  laplace,  ///< 4 pi ghat(k) / k^2
  hasimoto  ///< 8 pi w(k) / k^2, of the Stokes kernels
};

/// The functions of r from which near parts are made, each a polynomial in r^2 (core/ewald/near_kernel.hpp).
enum class Radial {
  potential,  ///< Phi / r
  stokes,     ///< Phi / r + Phi'
  slope,      ///< (Phi / r - Phi') / r^2
  curvature,  ///< -Phi'' / r
  bend        ///< -(Phi'' / r)' / r
};

/// What the influence function of a kernel is made of: numbers of a table of modes (core/ewald/influence.hpp).
struct TableParts {
  bool scalar = false;  ///< the multiplier
  bool tensor = false;  ///< the multiplier times I - kk / k^2
  bool vector = false;  ///< the multiplier times k

  constexpr int numbers() const { return (scalar ? 1 : 0) + (tensor ? 6 : 0) + (vector ? 3 : 0); }
  constexpr int first_of_tensor() const { return scalar ? 1 : 0; }
  constexpr int first_of_vector() const { return first_of_tensor() + (tensor ? 6 : 0); }
  friend constexpr bool operator==(TableParts, TableParts) noexcept = default;
};

/// What G2P gathers at a point: so many components, and if wanted the slopes of the first.
template <int Components, bool Slopes>
struct Gathered {
  static constexpr int components = Components, results = Components + (Slopes ? 3 : 0);
  static constexpr bool slopes = Slopes;
  static constexpr std::string_view symbol = Components > 3    ? "four"
                                             : Components == 3 ? "vector"
                                             : Slopes          ? "potential_and_slopes"
                                                               : "potential";
};

/// The multipole method has no sums for a kernel.
struct NoSums {
  static constexpr int rhs = 0, strengths = 0;
};

}  // namespace nearfar
