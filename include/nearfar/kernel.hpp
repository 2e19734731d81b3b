// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nearfar {

/// What is summed, with r = target - source and R = |r|. Results are not scaled by 1/(8 pi mu) or 1/(4 pi).
enum class Kernel {
  stokeslet,      ///< u_j = (delta_jl / R + r_j r_l / R^3) f_l
  stresslet,      ///< u_j = -6 r_j r_l r_m / R^5 q_l n_m
  stokes,         ///< stokeslet and stresslet together
  laplace,        ///< phi = q / R
  rotlet,         ///< u = t x r / R^3: the flow of a torque t
  dipole,         ///< phi = p.r / R^3
  charge_dipole,  ///< charge and dipole together
  yukawa,         ///< phi = e^(-lam R) q / R, with a screening lam (EwaldOptions::screening)
  doublet         ///< u = -D_lm d_m S_jl: the flow of a force dipole D, forces +-f at y +- a / 2 with D = f a^T
};

/// What a target gets. Each kernel has some of them: outputs_of(kernel).
enum class Output : unsigned {
  potential = 1,  ///< phi
  velocity = 2,   ///< u
  pressure = 8,   ///< p of a flow: lap u = grad p away from the sources, without a mean gradient in a periodic cell
  gradient = 4,   ///< of the potential, dphi/dx, dphi/dy, dphi/dz, or of the velocity, dux/dx, dux/dy, ..., duz/dz
  hessian = 16    ///< of the potential: its second derivatives xx, xy, xz, yy, yz, zz
};

/// A set of outputs, as in `Output::potential | Output::gradient`. Empty means the first output of the kernel. Any set
/// that holds the first is valid.
class Outputs {
 public:
  constexpr Outputs() = default;
  constexpr Outputs(Output one) noexcept : bits_(static_cast<unsigned>(one)) {}

  constexpr bool empty() const noexcept { return bits_ == 0; }
  constexpr bool has(Output one) const noexcept { return (bits_ & static_cast<unsigned>(one)) != 0; }
  constexpr bool has_all(Outputs of) const noexcept { return (of.bits_ & ~bits_) == 0; }

  friend constexpr Outputs operator|(Outputs a, Outputs b) noexcept {
    a.bits_ |= b.bits_;
    return a;
  }
  friend constexpr bool operator==(Outputs, Outputs) noexcept = default;

 private:
  unsigned bits_ = 0;
};
constexpr Outputs operator|(Output a, Output b) noexcept { return Outputs(a) | Outputs(b); }

/// The directions in which the box repeats: any of them.
enum class Periodicity { none, x, xy, xyz, y, z, xz, yz };

/// Whether the box repeats along axis 0, 1 or 2.
constexpr bool is_periodic(Periodicity p, int axis) noexcept {
  constexpr unsigned directions[] = {0, 1, 3, 7, 2, 4, 5, 6};
  return (directions[int(p)] >> axis & 1) != 0;
}
constexpr int periodic_directions(Periodicity p) noexcept {
  return int(is_periodic(p, 0)) + int(is_periodic(p, 1)) + int(is_periodic(p, 2));
}

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

/// Numbers per source, and their names: for instance fx, fy, fz of a Stokeslet.
int strength_components(Kernel kernel) noexcept;
std::vector<std::string> strength_columns(Kernel kernel);

/// All outputs of a kernel, and the one that is always computed.
Outputs outputs_of(Kernel kernel) noexcept;
Output first_output(Kernel kernel) noexcept;

/// The outputs of a set in the order of their columns, and numbers per target of one; 0 if the kernel lacks it.
std::vector<Output> list_of(Outputs outputs);
int output_components(Kernel kernel, Output output) noexcept;

/// Numbers per target, output after output in the order of the enumeration, and their names: for instance phi, dphidx,
/// dphidy, dphidz. Throws Error{bad_input} for outputs that the kernel lacks, or without its first.
int result_components(Kernel kernel, Outputs outputs = {});
std::vector<std::string> result_columns(Kernel kernel, Outputs outputs = {});

/// Names as on the command line, and back. `from_name` throws Error{bad_input} with the list of known names.
std::string_view name(Kernel value) noexcept;
std::string_view name(Output value) noexcept;
std::string name(Outputs value);  ///< with commas between
std::string_view name(Periodicity value) noexcept;
std::string_view name(Split value) noexcept;
std::string_view name(Window value) noexcept;
std::string_view name(Part value) noexcept;
std::string_view name(ZeroMode value) noexcept;
std::string_view name(Boundary value) noexcept;

template <class Enum>
Enum from_name(std::string_view text);

}  // namespace nearfar
