// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <string_view>

namespace nearfar {

/// The far part of 1 / r by which a kernel is split (ewald.md, Sec. 1), as a multiplier in Fourier space.
enum class Base {
  laplace,  ///< 4 pi ghat(k) / k^2
  hasimoto  ///< 8 pi w(k) / k^2, of the Stokes kernels
};

/// The functions of r from which near parts are made, each a polynomial in r^2 (core/ewald/split/near_kernel.hpp).
enum class Radial {
  potential,  ///< Phi / r
  stokes,     ///< Phi / r + Phi'
  slope,      ///< (Phi / r - Phi') / r^2
  curvature,  ///< -Phi'' / r
  bend        ///< -(Phi'' / r)' / r
};

/// What the influence function of a kernel is made of: numbers of a table of modes (core/ewald/far/influence.hpp).
struct TableParts {
  bool scalar = false;    ///< the multiplier
  bool tensor = false;    ///< the multiplier times I - kk / k^2
  bool vector = false;    ///< the multiplier times k
  bool pressure = false;  ///< twice the Laplace multiplier times k, of the pressure of flows

  constexpr int numbers() const { return first_of_pressure() + (pressure ? 3 : 0); }
  constexpr int first_of_tensor() const { return scalar ? 1 : 0; }
  constexpr int first_of_vector() const { return first_of_tensor() + (tensor ? 6 : 0); }
  constexpr int first_of_pressure() const { return first_of_vector() + (vector ? 3 : 0); }
  constexpr TableParts with_pressure() const {
    TableParts parts = *this;
    parts.pressure = true;
    return parts;
  }
  friend constexpr bool operator==(TableParts, TableParts) noexcept = default;
};

/// What P2G spreads of a source, with W the window and the gradient by the grid point.
enum class Spreading {
  plain,         ///< each number of its strength times W
  double_layer,  ///< Stokes' double layer, with or without forces: (q (n.grad) + n (q.grad)) W + f W, and (q.n) W
  dipoles,       ///< dipoles, with or without charges: -(p.grad) W + q W
  force_dipoles  ///< Stokes' force dipoles: -D grad W
};
constexpr bool has_slopes(Spreading spreading) { return spreading != Spreading::plain; }

/// What G2P gathers at a point: so many components, then the slopes of the first `Sloped` ones, component by component.
template <int Components, int Sloped>
struct Gathered {
  static constexpr int components = Components, sloped = Sloped, results = Components + 3 * Sloped;
  static constexpr bool slopes = Sloped > 0, seconds = false;
  static constexpr std::string_view symbol = Sloped > 1        ? "flow_and_slopes"
                                             : Components > 3  ? "four"
                                             : Components == 3 ? "vector"
                                             : slopes          ? "potential_and_slopes"
                                                               : "potential";

  /// Where among the results the slope of a component along one direction is.
  NEARFAR_FUNCTION static constexpr int slope(int component, int direction) {
    return Components + 3 * component + direction;
  }
};

/// A potential, its slopes, and its second slopes xx, xy, xz, yy, yz, zz.
struct GatheredHessian : Gathered<1, 1> {
  static constexpr int results = 10;
  static constexpr bool seconds = true;
  static constexpr std::string_view symbol = "potential_and_hessian";
};

/// What the multipole method evaluates of a sum of 1/r at a target, by number: the sum, its slopes along x, y and z,
/// and its second slopes xx, xy, xz, yy, yz; zz is minus xx and yy.
struct SumSlopes {
  static constexpr int most = 9;

  /// The numbers up to this derivative.
  NEARFAR_FUNCTION static constexpr int up_to(int derivative) { return derivative == 0 ? 1 : derivative == 1 ? 4 : 9; }

  /// The second slope along j and m of all, given xx and those after it.
  template <class V>
  NEARFAR_FUNCTION static V second(V const* xx, int j, int m) {
    int const low = j < m ? j : m, high = j < m ? m : j;
    return low == 2 ? -xx[0] - xx[3] : xx[low * (5 - low) / 2 + high];
  }
};

/// The multipole method has no sums for a kernel.
struct NoSums {
  static constexpr int rhs = 0, strengths = 0;
};

}  // namespace nearfar
