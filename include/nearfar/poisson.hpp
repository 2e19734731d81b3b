// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>
#include <nearfar/runtime.hpp>
#include <nearfar/solve.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace nearfar {

/// Which Green's function multiplies the modes of a density.
enum class PoissonMethod {
  hockney,  ///< samples of 1 / (4 pi r): second order (Hockney and Eastwood, 1988, Sec. 6-5)
  vico,     ///< the kernel cut beyond the box, whose transform is known: spectral (Vico, Greengard, Ferrando, 2016)
  vico_dct  ///< the same by cosine transforms, in an eighth of the work for the Green's function
};

/// What a sample of the Green's function stands for in the method hockney.
enum class HockneyGreen {
  cell_average,  ///< samples at the centres of cells; the singular one is the average over its cell
  constant,      ///< samples; 1 / (4 pi) for the singular one, whatever the spacing: what other codes take
  integrated     ///< the average over the cell everywhere (Qiang et al., 2006); all directions open
};

/// A face of the box.
enum class BoxFace { x_low, x_high, y_low, y_high, z_low, z_high };

/// Names as on the command line; `from_name` (kernel.hpp) takes them back.
std::string_view name(PoissonMethod value) noexcept;
std::string_view name(HockneyGreen value) noexcept;
std::string_view name(BoxFace value) noexcept;

/// What to solve. Everything but the grid has a default.
struct PoissonOptions {
  PoissonMethod method = PoissonMethod::vico_dct;
  std::array<int, 3> grid{};  ///< cells per direction, 2 to 16384 each; lengths of FFTs: best without large primes
  std::array<double, 3> box{1, 1, 1};  ///< edges; cell i along x covers [i hx, (i + 1) hx) with hx = Lx / nx
  std::array<bool, 3> periodic{};      ///< directions that repeat; the others are open: the field goes on outside
  bool field = false;                  ///< E = -grad phi beside the potential
  HockneyGreen green = HockneyGreen::cell_average;  ///< method hockney only; elsewhere setting it is an error
  /// A face that conducts and is earthed: phi is 0 there, by image charges. Along an open direction. The density's
  /// mirror image is solved with it, in twice the memory and time.
  std::optional<BoxFace> conductor{};
};

/// What a plan has chosen.
struct PoissonParameters {
  std::array<double, 3> spacing{};       ///< h
  std::array<int, 3> transform{};        ///< points that are transformed per direction: with the zeros beyond the box
  std::array<int, 3> green_transform{};  ///< points that the Green's function is transformed on
  double truncation_radius = 0;          ///< where the kernel is cut; 0 for hockney and where all directions repeat
  std::size_t green_bytes = 0;           ///< of that what is kept of the Green's function
  std::size_t setup_bytes = 0;           ///< beside bytes, while the Green's function is made
  std::size_t bytes = 0;  ///< memory a solve needs beside the caller's; a second one in flight takes most of it again
  bool on_gpus = false;   ///< all stages run on GPUs, in whose memory they need `bytes` and the caller's arrays
};

namespace detail {
template <class T>
class PoissonPlan;
}  // namespace detail

/// Poisson's equation -Laplace(phi) = rho on a grid, in a box whose directions are open or repeat. T is double or
/// float. Copies share one plan. Members are thread-safe. Of several ranks all make the plan, set spacings and submit,
/// in the same order and from one thread: what rank 0 gives counts, and its results are complete.
///
/// Densities are given, and potentials and fields found, at the centres of cells, in arrays [x][y][z] (z fastest).
/// Units are the caller's: with lengths in the unit of the box, a charge q far away has phi = q / (4 pi r). For
/// electrostatics in SI units divide the density by epsilon_0; for gravity multiply it by -4 pi G.
///
/// Constants that directions which repeat leave open, for the part of the density that is constant along them:
///   one open      a layer of unit charge per area gives phi = -|z| / 2, z the distance from it
///   two open      a line of unit charge per length gives phi = -ln(rho) / (2 pi), rho in the unit of the box
///   none open     the mean of the density has no effect, and that of phi is 0
/// These are Ewald's conventions (BasicEwald), divided by 4 pi.
///
/// Errors, relative l2: hockney falls with the square of the spacing, at the same cost as the others; vico and vico_dct
/// fall faster than any power, down to rounding, for densities that are smooth on the grid and stay away from the open
/// faces (docs/poisson.md).
template <class T>
class BasicPoisson {
 public:
  /// Begins to make the Green's function, as tasks, and returns. Throws Error{bad_input} for options that make no
  /// sense, each with what would; Error{no_resource} where a solve needs more memory than the machine has.
  BasicPoisson(Runtime const& runtime, PoissonOptions const& options);

  /// Submits one solve and returns at once. `density` and `potential` have a number per cell, `field` three (x, y, z),
  /// or none where PoissonOptions::field is not set. All belong to the solve until it has ended, and may be in the
  /// memory of a GPU that the runtime drives; results only if one GPU solves. Throws Error{bad_input} for wrong
  /// lengths; a density that is not finite comes from wait(), with its cell.
  Solve submit(std::span<T const> density, std::span<T> potential, std::span<T> field = {});

  /// The same grid with other distances between cells, from the next submit on: only the Green's function is made anew,
  /// as tasks, while solves before may still run. Throws as the constructor does, and then changes nothing; but where
  /// memory ends only while they are made, solves fail until it is called again.
  void set_spacing(std::array<double, 3> const& spacing);

  PoissonParameters parameters() const;
  PoissonOptions options() const;
  std::size_t cells() const noexcept;

  /// Waits until the Green's function is made, and tells how.
  SolveReport green_report();

 private:
  std::shared_ptr<detail::PoissonPlan<T>> plan_;
};

using Poisson = BasicPoisson<double>;
using PoissonSingle = BasicPoisson<float>;

extern template class BasicPoisson<double>;
extern template class BasicPoisson<float>;

}  // namespace nearfar
