// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/arrays.hpp>
#include <nearfar/ewald.hpp>

namespace nearfar {

/// What to sum by the fast multipole method, and how accurately. The plan chooses parameters that are left empty.
struct FmmOptions {
  Kernel kernel = Kernel::laplace;
  Outputs outputs{};                            ///< what targets get; empty: the first output of the kernel
  Periodicity periodicity = Periodicity::none;  ///< none, or xyz (charges and dipoles)
  /// Edges; the cell is [0, Lx) x [0, Ly) x [0, Lz). Periodic: the longest is at most about twice the shortest (1 : 1 :
  /// 0.6 is possible). Free: it must hold all points, ends included; an edge of 0 follows from the points.
  std::array<double, 3> box{0, 0, 0};
  double tolerance = 1e-6;  ///< relative l2 error over the targets, of each output by itself
  std::size_t count = 0;    ///< number of uniform points to plan for before set_points; 0: none
  Boundary boundary = Boundary::tin_foil;
  /// As for Ewald sums. A solve that misses the tolerance is repeated with pairs in double precision, unless this is
  /// set to single.
  NearPrecision near_precision = NearPrecision::automatic;
  Implementation implementation = Implementation::tuned;
  /// As for Ewald sums; of one vector of strengths.
  bool virial = false;

  std::optional<int> order{};     ///< highest degree of the expansions, 1 to 30; empty: by the tolerance
  std::optional<int> depth{};     ///< last level of the tree, 0 to 20, with all leaves unless capacity is set
  std::optional<int> capacity{};  ///< boxes with more points are divided; 0: all leaves on one level
  /// 1 or 2: boxes up to this many boxes apart interact directly. Cells far from cubes need 2.
  std::optional<int> well_separation{};

  /// Charges in free space: the potential is q / sqrt(r^2 + softening^2), Plummer's, as gravity between stars has it; a
  /// length above 0, in the unit of positions. The far part is that of q / r: Error{bad_input} if the softening is not
  /// small beside the leaves of the tree, at this tolerance (docs/fmm.md). Pairs run on CPUs, and solves are not
  /// reviewed.
  std::optional<double> softening{};
};

/// What a plan chose for its points: what callers may rely on. Order, depth, capacity, separation and precision can be
/// set in FmmOptions.
struct FmmParameters {
  std::array<double, 3> box{};  ///< edges of the root; in free space they may exceed what the points need
  int order = 0;
  int depth = 0;     ///< last level with boxes
  int capacity = 0;  ///< 0: all leaves on the last level
  int well_separation = 1;
  bool near_in_single = false;  ///< a solve in double precision evaluates pairs in single
  double estimated_error = 0;   ///< relative l2 error
  std::size_t boxes = 0;        ///< boxes with points, on all levels
  std::size_t bytes = 0;        ///< memory of a solve besides the caller's
  bool on_gpus = false;         ///< every stage runs on the GPU
};

/// The same, and how the plan divides its work and what it expects that to take, for reports and measurements: these
/// follow the machine and the planner, and change with them.
struct FmmPlanning : FmmParameters {
  std::size_t blocks = 0;        ///< blocks of boxes: one task each in most stages
  std::size_t translations = 0;  ///< multipoles to locals (M2L)
  std::size_t evaluations = 0;   ///< multipoles at points (M2P)
  std::size_t expansions = 0;    ///< points into locals of other boxes (P2L)
  std::size_t pairs = 0;         ///< pairs of points that interact directly
  double seconds = 0;            ///< predicted time on one CPU worker for one vector of strengths
  double shared_seconds = 0;     ///< the same, shared evenly by all workers of this machine, GPUs included
  double chain_seconds = 0;      ///< far part stage by stage and level by level, shared by the workers; or P2P, if
                                 ///< that takes longer
  double last_seconds = 0;       ///< mean length of the task that a CPU worker runs at a moment
};

namespace detail {
template <class T>
class FmmPlan;
template <class T>
class FmmPointSet;
}  // namespace detail

/// Sources and targets in the boxes of a tree; reusable while they do not move. Copies are cheap.
template <class T>
class BasicFmmPoints {
 public:
  std::size_t sources() const noexcept;
  std::size_t targets() const noexcept;
  FmmPlanning parameters() const;

  explicit BasicFmmPoints(std::shared_ptr<detail::FmmPointSet<T>> set) noexcept : set_(std::move(set)) {}
  std::shared_ptr<detail::FmmPointSet<T>> const& set() const noexcept { return set_; }

 private:
  std::shared_ptr<detail::FmmPointSet<T>> set_;
};

/// A sum over particles by the fast multipole method, in free space or, for charges and dipoles, over all periodic
/// images. T is double (tolerances 0.5 to 1e-10) or float (to 1e-5). Copies share one plan. Members are thread-safe.
/// With several ranks, all make the plan, set and move points and submit, as for BasicEwald.
///
/// Arrays are rows: 3 numbers per point (x, y, z), strength_components() per source, result_components() per target.
/// Several vectors of strengths go through the tree at once if rows are that many times as long: all strengths of a
/// source for the first vector, then for the second, and so on; results likewise.
/// A source does not act on itself, but its images do: a pair at distance zero contributes only its images. A periodic
/// cell that is not neutral has a uniform neutralising background.
template <class T>
class BasicFmm {
 public:
  /// Throws Error{bad_input} for invalid options, saying what would be valid.
  BasicFmm(Runtime const& runtime, FmmOptions const& options);

  /// Builds the tree and its lists, and copies what it needs of the caller's memory. Points outside a periodic cell
  /// are wrapped. Throws Error{bad_input} for no points, a length that is not a multiple of 3, a NaN, an infinity, a
  /// point outside a given box (saying which), and, if the targets are the sources, for two sources at one point,
  /// whose interaction is infinite. Throws Error{no_resource} if a solve would need more memory than the machine
  /// has.
  BasicFmmPoints<T> set_points(std::span<T const> sources);                              ///< targets are the sources
  BasicFmmPoints<T> set_points(std::span<T const> sources, std::span<T const> targets);  ///< two sets
  /// The same for views of 3 columns.
  BasicFmmPoints<T> set_points(RowsIn const& sources);
  BasicFmmPoints<T> set_points(RowsIn const& sources, RowsIn const& targets);
  /// The same for rows in several arrays. Also throws Error{bad_input} for more than max_arrays, or where a point is in
  /// two.
  BasicFmmPoints<T> set_points(Arrays<T const> const& sources);
  BasicFmmPoints<T> set_points(Arrays<T const> const& sources, Arrays<T const> const& targets);

  /// Points that have moved, as many as in `before` and in the same order, else Error{bad_input}. Keeps the boxes of
  /// `before` and their lists, which saves most of the work, as long as each point has a box (within a fiftieth of its
  /// side, one in ten thousand within a quarter) and no box holds more than twice what it was planned for: what it held
  /// then, or the average of boxes. Else changes boxes where the points need it, and makes lists anew around them. Sets
  /// the points again if they leave the root, or need a quarter more or fewer boxes, and always on several ranks.
  /// Results agree with those of set_points within the tolerance. `before` remains valid. Throws like set_points.
  BasicFmmPoints<T> move_points(BasicFmmPoints<T> const& before, std::span<T const> sources);
  BasicFmmPoints<T> move_points(BasicFmmPoints<T> const& before, std::span<T const> sources,
                                std::span<T const> targets);
  BasicFmmPoints<T> move_points(BasicFmmPoints<T> const& before, RowsIn const& sources);
  BasicFmmPoints<T> move_points(BasicFmmPoints<T> const& before, RowsIn const& sources, RowsIn const& targets);
  BasicFmmPoints<T> move_points(BasicFmmPoints<T> const& before, Arrays<T const> const& sources);
  BasicFmmPoints<T> move_points(BasicFmmPoints<T> const& before, Arrays<T const> const& sources,
                                Arrays<T const> const& targets);

  /// Submits one solve and returns at once. `strengths` and `result` belong to the solve until it has ended.
  /// Throws Error{bad_input} for wrong lengths, and for a result that shares memory with the strengths (views may);
  /// wait() throws errors of tasks (strengths that are not finite, or not neutral where they must be). `after` as in
  /// BasicEwald; the first solve of points may wait for the stream in this call, because it looks at the strengths.
  Solve submit(BasicFmmPoints<T> const& points, std::span<T const> strengths, std::span<T> result,
               std::optional<Stream> const& after = {});
  /// The same for rows in several arrays, such as one for each GPU. With several ranks, arrays of the host.
  Solve submit(BasicFmmPoints<T> const& points, Arrays<T const> const& strengths, Arrays<T> const& result,
               std::optional<Stream> const& after = {});
  /// The same for views of strengths and results. Strengths are read before this returns; the result is written when
  /// the solve ends, and only if it succeeds.
  Solve submit(BasicFmmPoints<T> const& points, RowsIn const& strengths, RowsOut const& result);

  /// For the points set last, or before that for `count` uniform points. Throws Error{bad_input} if there is neither.
  FmmPlanning parameters() const;
  double estimated_error() const;
  FmmOptions const& options() const noexcept;

 private:
  std::shared_ptr<detail::FmmPlan<T>> plan_;
};

using Fmm = BasicFmm<double>;
using FmmSingle = BasicFmm<float>;
using FmmPoints = BasicFmmPoints<double>;
using FmmPointsSingle = BasicFmmPoints<float>;

extern template class BasicFmm<double>;
extern template class BasicFmm<float>;
extern template class BasicFmmPoints<double>;
extern template class BasicFmmPoints<float>;

}  // namespace nearfar
