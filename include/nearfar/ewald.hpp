// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>
#include <nearfar/rows.hpp>
#include <nearfar/runtime.hpp>
#include <nearfar/solve.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace nearfar {

/// What pairs within the cutoff are summed in, in a solve in double precision.
enum class NearPrecision {
  automatic,  ///< single where the tolerance allows it, 1e-6 or looser, and it is faster
  double_,
  single  ///< adds about 2e-7 to the error; only with tolerances of 1e-6 and looser
};

/// What modes are multiplied by where no direction repeats.
enum class Influence {
  automatic,  ///< the table where the plan finds it cheaper, its making shared by ten solves
  direct,  ///< the cut kernel, as its formula says: the grid is followed by zeros up to 2.7 times its length and more
  table    ///< what that comes to on twice the grid, made once for all solves
};

/// What to sum, and how well. Everything but the tolerance has a default; what is left empty is chosen by cost.
struct EwaldOptions {
  Kernel kernel = Kernel::stokeslet;
  bool gradient = false;  ///< Laplace only: the gradient beside the potential
  Periodicity periodicity = Periodicity::xyz;
  /// Edges; the cell is [0, Lx) x [0, Ly) x [0, Lz). Along a direction that does not repeat it holds all points, ends
  /// included; 0 there: the edge and the place of the box follow from the points of each set_points.
  std::array<double, 3> box{1, 1, 1};
  double tolerance = 1e-6;  ///< relative l2 error over the targets, of the whole sum and of its far part
  /// Points to plan for, evenly spread; 0: those of the first set_points, as they lie. Points that lie on planes, as
  /// those of crystals, are planned for again.
  std::size_t count = 0;
  Split split = Split::pswf;
  Window window = Window::kaiser_bessel;
  Implementation implementation = Implementation::tuned;
  /// Kernels stresslet and stokes, periodic xyz; elsewhere setting it is an error. zero_face_flux, the default, adds
  /// u_j(x) = -(8 pi / V) sum_n (x_j - y_nj) (q_n . n_n) to the far part, with coordinates as the caller gave them: the
  /// points of a closed surface must not be wrapped one by one. Where the sum of q . n is not zero, that field is not
  /// periodic. zero_mean_flow adds nothing.
  std::optional<ZeroMode> zero_mode{};
  /// Periodic x with kernels laplace, stokeslet and stokes, whose fields hold a logarithm; elsewhere setting it is an
  /// error. The length that rho is measured by in ln(rho) below; 1 if not set. In the unit of the box, above 0.
  std::optional<double> gauge_length{};

  /// In single precision pairs are summed in, each by the exact difference of its points, and the sums of a few dozen
  /// pairs added up in double; very close pairs are summed in double. A solve in single precision has no use for it.
  NearPrecision near_precision = NearPrecision::automatic;

  /// Only boxes without periods have a choice; elsewhere `table` is an error. Both give the same to rounding.
  Influence influence = Influence::automatic;

  std::optional<double> cutoff{};           ///< radius of the near part
  std::optional<double> split_parameter{};  ///< c of the prolate split, xi * cutoff of the Gaussian one
  std::optional<std::array<int, 3>>
      grid{};                          ///< grid points per direction; along a free one, of the box and its margins
  std::optional<int> window_points{};  ///< width of the window in grid points, 4 to 20
};

/// What a plan has chosen.
struct EwaldParameters {
  std::array<double, 3> box{};   ///< edges: those of the options, or what the points need
  double cutoff = 0;             ///< rc
  double split_parameter = 0;    ///< c (pswf) or xi * rc (gaussian)
  std::array<int, 3> grid{};     ///< M
  int window_points = 0;         ///< P
  double window_shape = 0;       ///< beta of the Kaiser-Bessel window
  double estimated_error = 0;    ///< relative l2 error of the far part, and of a near part in single precision
  bool near_in_single = false;   ///< pairs are summed in single precision inside a solve in double
  bool influence_table = false;  ///< modes are multiplied by a table on twice the grid
  std::array<int, 3> cells{};    ///< cells for the near part
  std::array<int, 3> blocks{};   ///< blocks of cells: one P2P task each, more for those that hold much more work
  int slabs = 0;                 ///< slabs of grid planes: one P2G and two FFT tasks each
  int columns = 0;               ///< groups of grid columns: one scaling task each
  /// Where several GPUs share a solve: cells along x of the first and last of the three blocks that each has, and
  /// planes of its first and last slab, which are all that its neighbours read of it; 0: blocks and slabs are even.
  int halo_cells = 0, halo_planes = 0;
  std::size_t bytes = 0;  ///< memory a solve needs beside the caller's; a second one in flight takes most of it again
  double flops_per_pair = 0;    ///< floating-point operations of a pair within the cutoff
  double near_seconds = 0;      ///< predicted for one CPU worker: near part
  double point_seconds = 0;     ///< of that bin, reduce and merge
  double far_seconds = 0;       ///< and far part
  double spread_seconds = 0;    ///< of that P2G
  double chain_seconds = 0;     ///< bin, far part, merge: stage after stage, as the CPU workers share their tasks
  double last_seconds = 0;      ///< a task at the end of the solve: G2P and merge of one block
  double near_gpu_seconds = 0;  ///< near part, for one GPU worker; 0 where none can take part
  double far_gpu_seconds = 0;   ///< bin, far part and merge, for one GPU worker, where GPUs do all of it
  bool on_gpus = false;         ///< every stage that GPUs can run is for them
};

namespace detail {
template <class T>
class EwaldPlan;
template <class T>
class PointSet;
}  // namespace detail

/// Sources and targets, binned and blocked by a plan; reusable while they do not move. Copies are cheap.
template <class T>
class BasicPoints {
 public:
  std::size_t sources() const noexcept;
  std::size_t targets() const noexcept;

  explicit BasicPoints(std::shared_ptr<detail::PointSet<T>> set) noexcept : set_(std::move(set)) {}
  std::shared_ptr<detail::PointSet<T>> const& set() const noexcept { return set_; }

 private:
  std::shared_ptr<detail::PointSet<T>> set_;
};

/// A sum over particles and their periodic images, if any, with all parameters chosen for a tolerance, box and machine.
/// T is double (tolerances 1e-3 to 1e-12) or float (to 1e-5). Copies share one plan. Members are thread-safe.
///
/// Of several ranks (Runtime::ranks) all make the plan, by rank 0's options, set points and submit, in the same order
/// and from one thread. Each gives points and strengths of its own, or none, and gets the results of its own targets.
///
/// Arrays are rows: 3 numbers per point (x, y, z), strength_components() per source, result_components() per target.
/// Images of a source count, the source itself does not: a pair at distance zero adds only its images.
/// Constants that a sum over images leaves open (ewald.md, Secs. 2 and 3):
///   xyz   Stokeslet with zero mean flow; Laplace with a neutralising background; the double layer as
///         EwaldOptions::zero_mode says.
///   xy    a layer of unit strength per area at z = 0 gives phi = -2 pi |z| and u_x = u_y = -4 pi |z|, u_z = 0.
///   x     a line of unit strength per length gives phi = -2 ln(rho), u_x = -4 ln(rho) - 4, and across it
///         u = (-2 ln(rho) - 3) f + 2 (rho . f) rho / rho^2, rho in units of EwaldOptions::gauge_length.
///   none  nothing is open: all fields go to zero far away.
/// They matter only where the strengths do not add up to zero.
template <class T>
class BasicEwald {
 public:
  /// Throws Error{bad_input} for options that make no sense, each with what would.
  BasicEwald(Runtime const& runtime, EwaldOptions const& options);

  /// Bins points; those outside the box are wrapped, as periodic images, along the directions that repeat (but see
  /// EwaldOptions::zero_mode). Where a box
  /// edge is left open, the plan is made anew when points outgrow it. Nothing is kept of the caller's memory. Throws
  /// Error{bad_input} for no points, a length that is not a multiple of 3, a NaN, an infinity, or a point outside the
  /// box along a free direction (saying which), and for two sources at one point where the targets are the sources
  /// (their interaction is infinite),
  /// Error{no_resource} when the solve would need more memory than the machine has.
  BasicPoints<T> set_points(std::span<T const> sources);                              ///< targets are the sources
  BasicPoints<T> set_points(std::span<T const> sources, std::span<T const> targets);  ///< two sets
  /// The same for positions as the caller has them: views of 3 columns.
  BasicPoints<T> set_points(RowsIn const& sources);
  BasicPoints<T> set_points(RowsIn const& sources, RowsIn const& targets);

  /// Points that have moved: as many as `before`, in the same order, or Error{bad_input}. The same as set_points at
  /// their new positions, in every bit; `before` stays as it was. Throws as set_points does.
  BasicPoints<T> move_points(BasicPoints<T> const& before, std::span<T const> sources);
  BasicPoints<T> move_points(BasicPoints<T> const& before, std::span<T const> sources, std::span<T const> targets);
  BasicPoints<T> move_points(BasicPoints<T> const& before, RowsIn const& sources);
  BasicPoints<T> move_points(BasicPoints<T> const& before, RowsIn const& sources, RowsIn const& targets);

  /// Submits one solve and returns at once. `strengths` and `result` belong to the solve until it has ended.
  /// Throws Error{bad_input} for wrong lengths; errors inside tasks (strengths that are not finite) come from wait().
  Solve submit(BasicPoints<T> const& points, std::span<T const> strengths, std::span<T> result,
               Part part = Part::whole);
  /// The same for strengths and results as the caller has them, in the memory of the host. The strengths are read
  /// before this returns; the result is written when the solve ends, and only if it ends well.
  Solve submit(BasicPoints<T> const& points, RowsIn const& strengths, RowsOut const& result, Part part = Part::whole);

  /// Throws Error{bad_input} when `count` was 0 and no points were set yet.
  EwaldParameters parameters() const;
  double estimated_error() const;
  EwaldOptions const& options() const noexcept;

 private:
  std::shared_ptr<detail::EwaldPlan<T>> plan_;
};

using Ewald = BasicEwald<double>;
using EwaldSingle = BasicEwald<float>;
using Points = BasicPoints<double>;
using PointsSingle = BasicPoints<float>;

extern template class BasicEwald<double>;
extern template class BasicEwald<float>;
extern template class BasicPoints<double>;
extern template class BasicPoints<float>;

}  // namespace nearfar
