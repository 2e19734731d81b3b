// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>
#include <nearfar/runtime.hpp>
#include <nearfar/solve.hpp>
#include <nearfar/stream.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace nearfar {

/// The Green's function that multiplies the modes of a density.
enum class PoissonMethod {
  hockney,  ///< samples of 1 / (4 pi r): second order (Hockney and Eastwood, 1988, Sec. 6-5)
  vico,     ///< the kernel truncated beyond the box, transformed exactly: spectral (Vico, Greengard, Ferrando, 2016)
  vico_dct  ///< the same by cosine transforms, with an eighth of the work for the Green's function
};

/// What a sample of the Green's function is in the method hockney.
enum class HockneyGreen {
  cell_average,  ///< samples at the centres of cells; the singular one is the average over its cell
  constant,      ///< samples; 1 / (4 pi) for the singular one, for any spacing, as in other codes
  integrated     ///< averages over all cells (Qiang et al., 2006); needs all directions open
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
  std::array<int, 3> grid{};           ///< cells per direction, 2 to 16384 each; best without large prime factors
  std::array<double, 3> box{1, 1, 1};  ///< edges; cell i along x covers [i hx, (i + 1) hx) with hx = Lx / nx
  std::array<bool, 3> periodic{};      ///< periodic directions; the others are open: the field goes on outside
  bool field = false;                  ///< also E = -grad phi
  HockneyGreen green = HockneyGreen::cell_average;  ///< method hockney only; setting it elsewhere is an error
  /// An earthed conducting face along an open direction, where phi is 0. The mirror image of the density is solved too,
  /// with twice the memory and time.
  std::optional<BoxFace> conductor{};
  /// With several ranks: each gives the density of its own planes along x (BasicPoisson::planes), and gets the results
  /// there. Otherwise rank 0 gives and gets all.
  bool slabs = false;
};

/// What a plan chose.
struct PoissonParameters {
  std::array<double, 3> spacing{};       ///< h
  std::array<int, 3> transform{};        ///< points per direction of the transforms, with padding
  std::array<int, 3> green_transform{};  ///< points per direction of the transforms that make the Green's function
  double truncation_radius = 0;          ///< of the kernel; 0 for hockney and for periodic boxes
  std::size_t green_bytes = 0;           ///< part of `bytes`: the Green's function
  std::size_t setup_bytes = 0;           ///< besides `bytes`, while the Green's function is made
  std::size_t bytes = 0;  ///< memory of a solve besides the caller's; a second one in flight takes most of it again
  bool on_gpus = false;   ///< all stages run on GPUs, whose memory holds `bytes` and the caller's arrays
};

namespace detail {
template <class T>
class PoissonPlan;
}  // namespace detail

/// Poisson's equation -Laplace(phi) = rho on a grid, in a box whose directions are open or periodic. T is double or
/// float. Copies share one plan. Members are thread-safe. With several ranks, all make the plan, set spacings and
/// submit in the same order, from one thread; the input of rank 0 counts, and rank 0 gets the results, but for grids in
/// slabs (PoissonOptions::slabs).
///
/// Densities, potentials and fields are at the centres of cells, in arrays [x][y][z] (z fastest). Units are the
/// caller's: with lengths in the unit of the box, a charge q far away has phi = q / (4 pi r). For electrostatics in SI
/// units divide the density by epsilon_0; for gravity multiply it by -4 pi G.
///
/// Constants that periodic directions leave undetermined, for the part of the density that is constant along them:
///   one open      a layer of unit charge per area gives phi = -|z| / 2, z the distance from it
///   two open      a line of unit charge per length gives phi = -ln(rho) / (2 pi), rho in the unit of the box
///   none open     the mean of the density has no effect, and that of phi is 0
/// These are Ewald's conventions (BasicEwald), divided by 4 pi.
///
/// Relative l2 errors: those of hockney decrease with the square of the spacing, at the same cost as the others; those
/// of vico and vico_dct faster than any power, down to rounding, for densities that are smooth on the grid and stay
/// away from open faces (docs/poisson.md).
template <class T>
class BasicPoisson {
 public:
  /// Submits the tasks that make the Green's function, and returns. Throws Error{bad_input} for invalid options, saying
  /// what would be valid; Error{no_resource} if a solve needs more memory than the machine has.
  BasicPoisson(Runtime const& runtime, PoissonOptions const& options);

  /// Submits one solve and returns at once. `density` and `potential` have a number per cell of the planes that this
  /// rank gives (planes()), `field` three (x, y, z), or none if PoissonOptions::field is not set. All belong to the
  /// solve until it has ended, and may be in the memory of a GPU that the runtime drives; results only if one GPU
  /// solves. The results may take the memory of the density, but not each other's. Throws Error{bad_input} for wrong
  /// lengths; wait() throws for a density or a result that is not finite, naming the cell. `after` as in BasicEwald.
  Solve submit(std::span<T const> density, std::span<T> potential, std::span<T> field = {},
               std::optional<Stream> const& after = {});

  /// Changes the spacing of the grid from the next submit on. Only the Green's function is made again, by tasks, while
  /// earlier solves may still run. If it throws, as the constructor does, it changes nothing; but if memory runs out in
  /// those tasks, solves fail until it is called again.
  void set_spacing(std::array<double, 3> const& spacing);

  PoissonParameters parameters() const;
  PoissonOptions options() const;
  std::size_t cells() const noexcept;  ///< of the grid; of this rank's planes with PoissonOptions::slabs
  /// The planes along x, [first, last), whose density this rank gives and whose results it gets: with
  /// PoissonOptions::slabs as many on each rank as far as that goes, else all on rank 0.
  std::array<int, 2> planes() const noexcept;

  /// Waits until the Green's function is made, and reports how.
  SolveReport green_report();

 private:
  std::shared_ptr<detail::PoissonPlan<T>> plan_;
};

using Poisson = BasicPoisson<double>;
using PoissonSingle = BasicPoisson<float>;

extern template class BasicPoisson<double>;
extern template class BasicPoisson<float>;

}  // namespace nearfar
