// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

namespace nearfar {

/// What is summed, with r = target - source and R = |r|. Results are not scaled by 1/(8 pi mu) or 1/(4 pi).
enum class Kernel {
  stokeslet,  ///< u_j = (delta_jl / R + r_j r_l / R^3) f_l
  stresslet,  ///< u_j = -6 r_j r_l r_m / R^5 q_l n_m
  stokes,     ///< stokeslet and stresslet together
  laplace     ///< phi = q / R, and its gradient -q r / R^3 on request
};

/// The periodic directions of the box, which come first.
enum class Periodicity { none, x, xy, xyz };

/// How 1/R is split into a near and a far part (ewald.md, Sec. 1).
enum class Split {
  pswf,     ///< first prolate function: the near part is exactly zero beyond the cutoff
  gaussian  ///< Ewald's and Hasimoto's split by erf
};

/// The window that spreads points to the grid.
enum class Window { kaiser_bessel, pswf, gaussian };

/// The part of a sum that a solve computes; `near` and `far` add up to `whole`.
enum class Part { whole, near, far };

/// The mode k = 0 of the periodic double layer (ewald.md, Sec. 2).
enum class ZeroMode {
  zero_face_flux,  ///< no flux through the faces of the cell: a closed surface gives 8 pi q inside and 0 outside
  zero_mean_flow   ///< the mean flow is zero
};

/// The medium infinitely far from a periodic cell of charges, which determines the field of the cell's dipole moment.
enum class Boundary {
  tin_foil,  ///< a conductor: the boundary of Ewald sums
  vacuum     ///< the limit of ever larger spheres of cells; neutral cells only
};

/// Which implementations of the stages run.
enum class Implementation {
  tuned,     ///< explicit SIMD on CPUs, kernels on GPUs; without GPU workers, the same bits under every scheduler
  portable,  ///< the plain bodies through Kokkos, wherever it was built for; the same bits under every scheduler
  any        ///< whichever StarPU finds fastest: bits may vary within the tolerance
};

/// Numbers per source: 3 (f), 6 (q, n), 9 (f, q, n) or 1 (q).
int strength_components(Kernel kernel) noexcept;

/// Numbers per target: 3 (u) for Stokes kernels; 1 (phi) or, with the gradient, 4 (phi, dphi/dx, dphi/dy, dphi/dz).
int result_components(Kernel kernel, bool gradient) noexcept;

/// Names as on the command line, and back. `from_name` throws Error{bad_input} with the list of known names.
std::string_view name(Kernel value) noexcept;
std::string_view name(Periodicity value) noexcept;
std::string_view name(Split value) noexcept;
std::string_view name(Window value) noexcept;
std::string_view name(Part value) noexcept;
std::string_view name(ZeroMode value) noexcept;
std::string_view name(Boundary value) noexcept;

template <class Enum>
Enum from_name(std::string_view text);

}  // namespace nearfar
