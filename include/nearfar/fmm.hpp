// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/ewald.hpp>

namespace nearfar {

/// What to sum by the fast multipole method, and how well. What is left empty is chosen by cost.
struct FmmOptions {
  Kernel kernel = Kernel::laplace;
  bool gradient = false;                        ///< Laplace only: the gradient beside the potential
  Periodicity periodicity = Periodicity::none;  ///< none, or xyz (Laplace only)
  /// Edges; the cell is [0, Lx) x [0, Ly) x [0, Lz). Periodic: the longest at most about twice the shortest (1 : 1 :
  /// 0.6 is possible). Free: it must hold all points, ends included; 0 along a direction: anywhere.
  std::array<double, 3> box{0, 0, 0};
  double tolerance = 1e-6;  ///< relative l2 error over the targets, of the potential or velocity and of the gradient
  std::size_t count = 0;    ///< points to plan for before there are any, as if uniform; 0: none
  Boundary boundary = Boundary::tin_foil;
  Implementation implementation = Implementation::tuned;

  std::optional<int> order{};     ///< highest degree of the expansions, 1 to 30; else from the tolerance
  std::optional<int> depth{};     ///< last level of the tree, 0 to 20; all leaves are on it, unless capacity is set
  std::optional<int> capacity{};  ///< boxes with at most so many points are not divided; 0: all on one level
  /// 1 or 2: boxes closer than this many boxes interact directly. Cells far from cubes need 2.
  std::optional<int> well_separation{};
};

/// What a plan has chosen for its points.
struct FmmParameters {
  std::array<double, 3> box{};  ///< edges of the root of the tree; in free space they may exceed what the points need
  int order = 0;
  int depth = 0;     ///< last level with boxes
  int capacity = 0;  ///< 0: all leaves on the last level
  int well_separation = 1;
  double estimated_error = 0;    ///< relative l2 error
  std::size_t boxes = 0;         ///< that hold points, on all levels
  std::size_t blocks = 0;        ///< of boxes: one task each in most stages
  std::size_t translations = 0;  ///< from multipoles to locals
  std::size_t evaluations = 0;   ///< of multipoles at points
  std::size_t expansions = 0;    ///< of points into locals of boxes that do not hold them
  std::size_t pairs = 0;         ///< of points that interact directly
  double seconds = 0;            ///< predicted for one CPU worker and one vector of strengths
  double shared_seconds = 0;     ///< the same, shared evenly by all workers of this machine, GPUs included
  double chain_seconds = 0;      ///< far part: stage after stage and level by level, as the workers share the tasks;
                                 ///< or P2P, if that takes longer
  double last_seconds = 0;       ///< the task that a CPU worker is in at a moment, on average
  std::size_t bytes = 0;         ///< memory the solve needs beside the caller's
  bool on_gpus = false;          ///< every stage runs on the GPU
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
  FmmParameters parameters() const;

  explicit BasicFmmPoints(std::shared_ptr<detail::FmmPointSet<T>> set) noexcept : set_(std::move(set)) {}
  std::shared_ptr<detail::FmmPointSet<T>> const& set() const noexcept { return set_; }

 private:
  std::shared_ptr<detail::FmmPointSet<T>> set_;
};

/// A sum over particles by the fast multipole method, in free space or, for Laplace, over all periodic images.
/// T is double (tolerances 1e-1 to 1e-10) or float (to 1e-5). Copies share one plan. Members are thread-safe.
/// Of several ranks all make the plan, set and move points and submit, as BasicEwald says.
///
/// Arrays are rows: 3 numbers per point (x, y, z), strength_components() per source, result_components() per target.
/// Several vectors of strengths go through the tree at once where rows are that many times as long: all the strengths
/// of a source for the first vector, then for the second, and so on; results likewise.
/// Images of a source count, the source itself does not: a pair at distance zero adds only its images. A periodic cell
/// that is not neutral has a uniform background that makes it so.
template <class T>
class BasicFmm {
 public:
  /// Throws Error{bad_input} for options that make no sense, each with what would.
  BasicFmm(Runtime const& runtime, FmmOptions const& options);

  /// Builds the tree and everything that depends on it. Points outside a periodic cell are wrapped. Nothing is kept of
  /// the caller's memory. Throws Error{bad_input} for no points, a length that is not a multiple of 3, a NaN, an
  /// infinity, a point outside a box that was given (saying which), and for two sources at one point where the targets
  /// are the sources (their interaction is infinite), Error{no_resource} when the solve would need more memory than
  /// the machine has.
  BasicFmmPoints<T> set_points(std::span<T const> sources);                              ///< targets are the sources
  BasicFmmPoints<T> set_points(std::span<T const> sources, std::span<T const> targets);  ///< two sets
  /// The same for positions as the caller has them: views of 3 columns.
  BasicFmmPoints<T> set_points(RowsIn const& sources);
  BasicFmmPoints<T> set_points(RowsIn const& sources, RowsIn const& targets);

  /// Points that have moved: as many as `before`, in the same order, or Error{bad_input}. The boxes of `before` and all
  /// that depends on them alone are used again, which saves most of the work, while each point has one (within a
  /// fiftieth of its side, one in ten thousand within a quarter) and none holds more than twice what it was planned
  /// for: what it held then, or what boxes hold on average. Else points are set anew, in free space with room for more
  /// steps. Results are those of set_points within the tolerance. `before` stays as it was. Throws as set_points does.
  BasicFmmPoints<T> move_points(BasicFmmPoints<T> const& before, std::span<T const> sources);
  BasicFmmPoints<T> move_points(BasicFmmPoints<T> const& before, std::span<T const> sources,
                                std::span<T const> targets);
  BasicFmmPoints<T> move_points(BasicFmmPoints<T> const& before, RowsIn const& sources);
  BasicFmmPoints<T> move_points(BasicFmmPoints<T> const& before, RowsIn const& sources, RowsIn const& targets);

  /// Submits one solve and returns at once. `strengths` and `result` belong to the solve until it has ended.
  /// Throws Error{bad_input} for wrong lengths; errors inside tasks (strengths that are not finite, or not neutral
  /// where they must be) come from wait().
  Solve submit(BasicFmmPoints<T> const& points, std::span<T const> strengths, std::span<T> result);
  /// The same for strengths and results as the caller has them. The strengths are read before this returns; the result
  /// is written when the solve ends, and only if it ends well.
  Solve submit(BasicFmmPoints<T> const& points, RowsIn const& strengths, RowsOut const& result);

  /// Of the points set last; before that, what `count` uniform ones would get. Throws Error{bad_input} for neither.
  FmmParameters parameters() const;
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
