// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/arrays.hpp>
#include <nearfar/kernel.hpp>
#include <nearfar/rows.hpp>
#include <nearfar/runtime.hpp>
#include <nearfar/solve.hpp>
#include <nearfar/stream.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace nearfar {

/// Precision in which a solve in double precision evaluates pairs: of Ewald sums within the cutoff, of multipole sums
/// between near leaves.
enum class NearPrecision {
  automatic,  ///< single if the tolerance is 1e-6 or looser (with a virial 1e-5) and it is faster
  double_,
  single  ///< adds about 2e-7 to the error; only with tolerances of 1e-6 and looser
};

/// Precision of the far part (spreading, grid, transforms, gathering) of a solve in double precision.
enum class FarPrecision {
  automatic,  ///< single for tolerances of 1e-5 and looser, if that is faster
  double_,
  single  ///< adds rounding errors, which estimates count; only with tolerances of 1e-5 and looser
};

/// What the tolerance of a plan is held for.
enum class ToleranceOf {
  parts,  ///< the whole sum, and its far part by itself, whatever the near part hides
  /// The whole sum alone. The first solve holds it for both and finds how weak the far field is beside the whole; plans
  /// of later points, and of later solves with the same, are as coarse as that allows. Each solve is reviewed as
  /// always, and repeated with a finer plan if its far field turns out to be stronger.
  whole
};

/// The influence function in free space, by which modes are multiplied.
enum class Influence {
  automatic,  ///< the cheaper one, with the cost of making the table shared by ten solves
  direct,     ///< the formula of the truncated kernel, on a grid padded to 2.7 times its length or more
  table       ///< the same sums by a table on twice the grid, made once for all solves
};

/// What to sum, and how accurately. The plan chooses parameters that are left empty.
struct EwaldOptions {
  Kernel kernel = Kernel::stokeslet;
  Outputs outputs{};  ///< what targets get; empty: the first output of the kernel
  Periodicity periodicity = Periodicity::xyz;
  /// Edges; the cell is [0, Lx) x [0, Ly) x [0, Lz). Along a free direction it must hold all points, ends included;
  /// with an edge of 0 there, edge and position of the box follow from the points of each set_points.
  std::array<double, 3> box{1, 1, 1};
  /// The vectors a, b, c of a cell of any shape, one a row, right-handed; the box is then left as it is. Any basis
  /// of the lattice will do: sums differ by rounding. Vectors along free directions are along their axes, and normal to
  /// all others; 0 there is as for the box. Points are wrapped into a cell of the shortest vectors, whose lengths the
  /// parameters call box.
  std::optional<std::array<std::array<double, 3>, 3>> cell{};
  double tolerance = 1e-6;  ///< relative l2 error over the targets, of the whole sum and of its far part
  ToleranceOf tolerance_of = ToleranceOf::parts;
  /// Number of uniform points to plan for; 0: plan for the points of the first set_points. If points lie on planes, as
  /// in crystals, set_points makes the plan again.
  std::size_t count = 0;
  /// How many vectors of strengths are summed at once, as a rule. Any number may be, by any plan; but CPUs sum pairs of
  /// several at less cost each, for which a longer cutoff is better (ewald.md, Sec. 10).
  int vectors = 1;
  Split split = Split::pswf;
  Window window = Window::kaiser_bessel;
  Implementation implementation = Implementation::tuned;
  /// Kernels stresslet and stokes, periodic xyz; setting it elsewhere is an error. zero_face_flux, the default, adds
  /// u_j(x) = -(8 pi / V) sum_n (x_j - y_nj) (q_n . n_n) to the far part, with coordinates as given, so do not wrap the
  /// points of a closed surface one by one. If the sum of q . n is not zero, that field is not periodic.
  /// zero_mean_flow adds nothing.
  std::optional<ZeroMode> zero_mode{};
  /// The unit of length of rho in ln(rho) below, above 0, in the unit of the box; 1 if not set. Periodic x with
  /// laplace, charge-dipole, stokeslet and stokes, whose fields have a logarithm; setting it elsewhere is an error.
  std::optional<double> gauge_length{};
  /// lam of kernel yukawa, above 0, in one over the unit of length of the box. That kernel needs it; with others it is
  /// an error.
  std::optional<double> screening{};

  /// Single precision still uses exact differences of points, adds up sums of a few dozen pairs in double precision,
  /// and evaluates very close pairs in double precision. Ignored by solves in single precision.
  NearPrecision near_precision = NearPrecision::automatic;

  /// Single precision still finds the positions of points on the grid in double precision, and adds near and far part
  /// in double. Ignored by solves in single precision.
  FarPrecision far_precision = FarPrecision::automatic;

  /// For boxes without periods; elsewhere `table` is an error. Both choices agree to rounding.
  Influence influence = Influence::automatic;

  /// Solves also find the virial (SolveReport::virial), in some more time. Kernels laplace and yukawa with the
  /// gradient, dipole and charge-dipole with the Hessian, and targets that are the sources; elsewhere it is an error.
  bool virial = false;

  std::optional<double> cutoff{};           ///< radius of the near part
  std::optional<double> split_parameter{};  ///< c of the prolate split, xi * cutoff of the Gaussian one
  std::optional<std::array<int, 3>>
      grid{};                          ///< grid points per direction; along a free one, of the box and its margins
  std::optional<int> window_points{};  ///< width of the window in grid points, 4 to 20
};

/// What a plan chose: what callers may rely on. EwaldOptions sets most of it.
struct EwaldParameters {
  std::array<double, 3> box{};  ///< edges: as given, or as the points need; with a cell the lengths of its rows
  /// The rows of the cell in which the sum is computed, with right angles too; `grid` and the like count along them.
  std::array<std::array<double, 3>, 3> cell{};
  double cutoff = 0;             ///< rc
  double split_parameter = 0;    ///< c (pswf) or xi * rc (gaussian)
  std::array<int, 3> grid{};     ///< M
  int window_points = 0;         ///< P
  double window_shape = 0;       ///< beta of the Kaiser-Bessel window
  bool near_in_single = false;   ///< a solve in double precision evaluates pairs in single
  bool far_in_single = false;    ///< a solve in double precision has its far part in single
  bool influence_table = false;  ///< the influence function is a table on twice the grid
  double estimated_error = 0;    ///< relative l2 error of the far part, and of a near part in single precision; with
                                 ///< ToleranceOf::whole, where the plan is coarser for it, of the whole sum
  std::size_t bytes = 0;  ///< memory of a solve besides the caller's; a second one in flight takes most of it again
  bool on_gpus = false;   ///< GPUs run every stage that they can
};

/// The same, and how the plan divides its work and what it expects that to take, for reports and measurements: these
/// follow the machine and the planner, and change with them.
struct EwaldPlanning : EwaldParameters {
  std::array<int, 3> cells{};   ///< cells for the near part
  std::array<int, 3> blocks{};  ///< blocks of cells: one P2P task each, more for blocks with much more work
  int slabs = 0;                ///< slabs of grid planes: one P2G and two FFT tasks each
  int columns = 0;              ///< groups of grid columns: one scaling task each
  /// If several GPUs share a solve, each has three blocks and three slabs, of which its neighbours read the first and
  /// last only: cells along x of these blocks, and planes of these slabs; 0: blocks and slabs are even.
  int halo_cells = 0, halo_planes = 0;
  double flops_per_pair = 0;    ///< floating-point operations of a pair within the cutoff
  double near_seconds = 0;      ///< predicted time of the near part on one CPU worker
  double point_seconds = 0;     ///< part of it: bin, reduce and merge
  double far_seconds = 0;       ///< the far part on one CPU worker
  double spread_seconds = 0;    ///< part of it: P2G
  double chain_seconds = 0;     ///< bin, far part, merge: stage by stage, shared by the CPU workers
  double last_seconds = 0;      ///< a task at the end of the solve: G2P and merge of one block
  double near_gpu_seconds = 0;  ///< the near part on one GPU worker; 0: GPUs take no part
  double far_gpu_seconds = 0;   ///< bin, far part and merge on one GPU worker, if GPUs run all of it
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

/// A sum over particles and their periodic images with all parameters chosen for a tolerance, box and machine (a plan).
/// T is double (tolerances 0.5 to 1e-12) or float (to 1e-5). Copies share one plan. Members are thread-safe.
///
/// With several ranks (Runtime::ranks), all make the plan, set points and submit in the same order, from one thread.
/// Rank 0's options count. Each gives its own points and strengths, or none, and gets the results of its own targets.
///
/// Arrays are rows: x, y, z of a point; strength_components() per source, result_components() per target, or K times as
/// many for K vectors at once, one after the other. A source does not act on itself, but its images do.
/// Constants that a sum over images leaves undetermined (ewald.md, Secs. 2 and 3):
///   xyz   Stokeslet with zero mean flow; Laplace with a neutralising background; the double layer as
///         EwaldOptions::zero_mode says.
///   xy    a layer of unit strength per area at z = 0 gives phi = -2 pi |z| and u_x = u_y = -4 pi |z|, u_z = 0.
///   x     a line of unit strength per length gives phi = -2 ln(rho), u_x = -4 ln(rho) - 4, and across it
///         u = (-2 ln(rho) - 3) f + 2 (rho . f) rho / rho^2, rho in units of EwaldOptions::gauge_length.
///   none  none: all fields go to zero far away.
/// They matter only if the strengths do not add up to zero.
template <class T>
class BasicEwald {
 public:
  /// Throws Error{bad_input} for invalid options, saying what would be valid.
  BasicEwald(Runtime const& runtime, EwaldOptions const& options);

  /// Bins points, and copies what it needs of the caller's memory. Points outside the box are wrapped
  /// along periodic directions (but see EwaldOptions::zero_mode). If an edge follows from the points,
  /// the plan is made again when they outgrow it. Throws Error{bad_input} for no points, a length that
  /// is not a multiple of 3, a NaN, an infinity, a point outside the box along a free direction
  /// (saying which), and, if the targets are the sources, for two sources at one point, whose
  /// interaction is infinite. Throws Error{no_resource} if a solve would need more memory than the
  /// machine has.
  BasicPoints<T> set_points(std::span<T const> sources);                              ///< targets are the sources
  BasicPoints<T> set_points(std::span<T const> sources, std::span<T const> targets);  ///< two sets
  /// The same for views of 3 columns.
  BasicPoints<T> set_points(RowsIn const& sources);
  BasicPoints<T> set_points(RowsIn const& sources, RowsIn const& targets);
  /// The same for rows in several arrays. Also throws Error{bad_input} for more than max_arrays, or where a point is in
  /// two.
  BasicPoints<T> set_points(Arrays<T const> const& sources);
  BasicPoints<T> set_points(Arrays<T const> const& sources, Arrays<T const> const& targets);

  /// Points that have moved, as many as in `before` and in the same order, else Error{bad_input}. Has the same bits as
  /// set_points at the new positions; `before` remains valid. Throws like set_points.
  BasicPoints<T> move_points(BasicPoints<T> const& before, std::span<T const> sources);
  BasicPoints<T> move_points(BasicPoints<T> const& before, std::span<T const> sources, std::span<T const> targets);
  BasicPoints<T> move_points(BasicPoints<T> const& before, RowsIn const& sources);
  BasicPoints<T> move_points(BasicPoints<T> const& before, RowsIn const& sources, RowsIn const& targets);
  BasicPoints<T> move_points(BasicPoints<T> const& before, Arrays<T const> const& sources);
  BasicPoints<T> move_points(BasicPoints<T> const& before, Arrays<T const> const& sources,
                             Arrays<T const> const& targets);

  /// From now on the cell has these rows (EwaldOptions::cell; of a box its edges along the axes), for points that are
  /// set or moved later; those set before keep theirs, and solves with either may be in flight. A cell that is sheared
  /// or strained a little keeps grid, cutoff and windows, as long as the model of errors holds there; else set_points
  /// and move_points make a new plan. Parameters of a cell do not depend on those before it, unless a new plan was
  /// made. Cells whose rows differ by whole rows, as a tilt and the tilt + 1 of Lees-Edwards boundaries, are the same
  /// lattice, and sums there have the same bits. Throws Error{bad_input} for a cell that EwaldOptions would not take,
  /// or shortest rows other than those that a grid is set for; then the cell stays as it was.
  void set_cell(std::array<std::array<double, 3>, 3> const& rows);
  /// The same, and the points of `before` in that cell: they stay at their Cartesian coordinates. Those outside of the
  /// cell in which they were set count as their images in it, unless sums depend on coordinates as given
  /// (EwaldOptions::zero_mode). To move points with the cell, use move_points after set_cell(rows). `before` remains
  /// valid. Also throws like set_points; then the cell stays as it was.
  BasicPoints<T> set_cell(BasicPoints<T> const& before, std::array<std::array<double, 3>, 3> const& rows);

  /// Submits one solve and returns at once. `strengths` and `result` belong to the solve until it has ended.
  /// Throws Error{bad_input} for wrong lengths, and for a result that shares memory with the strengths (views may);
  /// wait() throws errors of tasks (strengths that are not finite).
  /// With a stream, the solve reads strengths and writes the result only after all work that is on that stream now. The
  /// GPU waits for it if one GPU runs all stages and holds both arrays, else this call does. Throws Error{no_resource}
  /// if the GPU refuses, Error{bad_input} if nearfar was built without GPUs.
  Solve submit(BasicPoints<T> const& points, std::span<T const> strengths, std::span<T> result, Part part = Part::whole,
               std::optional<Stream> const& after = {});
  /// The same for rows in several arrays, such as one for each GPU. With several ranks, arrays of the host.
  Solve submit(BasicPoints<T> const& points, Arrays<T const> const& strengths, Arrays<T> const& result,
               Part part = Part::whole, std::optional<Stream> const& after = {});
  /// The same for views of strengths and results in host memory. Strengths are read before this returns; the result is
  /// written when the solve ends, and only if it succeeds.
  Solve submit(BasicPoints<T> const& points, RowsIn const& strengths, RowsOut const& result, Part part = Part::whole);

  /// Throws Error{bad_input} if `count` is 0 and no points were set yet.
  EwaldPlanning parameters() const;
  double estimated_error() const;
  EwaldOptions const& options() const noexcept;  ///< as given to the constructor

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
