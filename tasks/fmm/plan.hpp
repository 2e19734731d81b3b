// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/fmm/choice.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/fmm/check.hpp"
#include "tasks/fmm/gpu/gpu_tree.hpp"
#include "tasks/fmm/setup.hpp"
#include "tasks/particles/particle_plan.hpp"
#include "tasks/points/spare_rooms.hpp"

#include <optional>

namespace nearfar::detail {

/// The implementation of BasicFmm.
template <class T>
class FmmPlan : public ParticlePlan<FmmPlan<T>, T, FmmPointSet<T>, FmmOptions> {
  using Base = ParticlePlan<FmmPlan<T>, T, FmmPointSet<T>, FmmOptions>;
  friend Base;

 public:
  using Points = std::shared_ptr<FmmPointSet<T>>;
  using Submitted = Submission<T, FmmPointSet<T>>;

  /// For the machine `given`, and this process alone; else for this machine and all ranks.
  FmmPlan(std::shared_ptr<RuntimeState> runtime, FmmOptions const& options, std::optional<Machine> const& given = {});
  ~FmmPlan() { this->begin_to_go(); }

  FmmOptions const& options() const noexcept { return options_; }
  FmmPlanning parameters() const;

 private:
  // What ParticlePlan asks of a method.
  Points set_given(OnHost<T> const& sources, OnHost<T> const& targets, Targets which);
  Points set_rows(std::span<T const> sources, std::span<T const> targets, Targets which);
  Points move_given(Points const& before, OnHost<T> const& sources, OnHost<T> const& targets, Targets which);
  /// Relative to the same offset as before.
  Points move_views(Points const& before, RowsIn const& sources, RowsIn const* targets);
  Region region() const { return {options_.periodicity, options_.box, false}; }
  Points points_for(Points const& points, Submitted const& s);
  bool is_reviewed(Submitted& s);
  double predicted(Submitted const& s) const;
  void build(Graph& graph, Submitted const& s, SolveArrays<T> const& arrays) const;
  FoundErrors errors_found(Submitted const& s) const;
  double error_of_energy(Submitted const& s, std::span<long double const> tells) const;
  double error_of_virial(Submitted const& s, double const* energy) const;
  Missed judged(FmmPointSet<T> const& points, double error, double rounding) const;
  std::vector<double> negligible(FmmPointSet<T> const& points) const;
  double of_forces(FmmPointSet<T> const& points) const;
  Points finer(Points const& points, Missed const& missed);
  void keep(Points const& points);

  Points move_rows(Points const& before, std::span<T const> sources, std::span<T const> targets, Targets which);
  /// By a GPU, where one does all stages; else null. No targets if they are the sources. `room`: of an open root, by
  /// how much it is longer than the smallest one. `finer`: that plan, of points that were in another one.
  Points set_on_gpu(GivenArrays<T const> const& sources, std::optional<GivenArrays<T const>> const& targets,
                    double room = 0, std::optional<FinerPlan> const& finer = {});
  Points move_on_gpu(Points const& before, GivenArrays<T const> const& sources,
                     std::optional<GivenArrays<T const>> const& targets);
  /// No targets if they are the sources.
  Points put_on_gpu(GivenToGpu<T> const& given, GivenArrays<T const> const& sources,
                    std::optional<GivenArrays<T const>> const& targets, std::vector<BlockedPoints<T>> in_leaves,
                    std::shared_ptr<FmmTree> const& tree, std::shared_ptr<FmmSetup<T>> const& setup,
                    std::shared_ptr<FmmWorkspaces<T>> const& workspaces, FmmPlanning const& parameters);
  void find_routes(Points const& points, OnHost<T> const& sources, OnHost<T> const& targets);
  bool leaves_memory(FmmChoice const& choice) const;
  Parted parted_for(FmmChoice const& choice) const;
  static std::optional<GivenArrays<T const>> of_others(OnHost<T> const& targets, Targets which) {
    if (which == Targets::sources) return {};
    return targets.arrays();
  }
  GivenToGpu<T> in_root(FmmRoot const& root, Targets which) const;
  /// The points of this rank; if ranks are not connected, of all.
  GivenPoints<T> given(std::span<T const> rows, Parts const& parts) const;
  /// The root for these points. `known`: an earlier check found all points inside the box, so a point that rounding has
  /// moved across a face since is no error. Collective, like everything that makes points.
  FmmRoot root_for(std::span<T const> sources, std::span<T const> targets, GivenParts const& parts,
                   bool known = false) const;
  FmmChoice choose(PointTrees const& trees, std::size_t points, std::size_t targets,
                   std::optional<FinerPlan> const& finer);
  /// In this root or a somewhat longer one; by a finer plan, points that were in another one.
  Points block_points(FmmRoot root, std::span<T const> sources, std::span<T const> targets, GivenParts const& parts,
                      Targets which, std::optional<FinerPlan> const& finer = {});
  Points move_in_tree(Points const& before, std::span<T const> sources, std::span<T const> targets,
                      GivenParts const& parts);
  /// The level of the keys by which points are sorted: the deepest that a tree of this plan may have.
  int key_level() const;
  std::shared_ptr<FmmSetup<T>> setup_for(FmmChoice const& choice);
  Points make_points(Tree tree, FmmChoice const& choice, FmmInput<T> input, Loop const& loop);
  FmmGrain grain(FmmChoice const& choice) const;
  FmmSeconds seconds(FmmChoice const& choice, WorkerKind kind) const;
  /// With the GPUs that share the chosen sum.
  Machine machine_for(FmmChoice const& choice) const;
  Owners owners_for(FmmChoice const& choice) const;  ///< of blocks: GPUs of this process, or ranks with theirs
  /// Of a tree that was chosen; kept as the plan's.
  FmmPlanning parameters_of(FmmTree const& tree, FmmChoice const& choice, FmmRoot const& root, double points);
  Points points_in(std::shared_ptr<FmmTree> const& tree, std::shared_ptr<FmmSetup<T>> const& setup,
                   std::shared_ptr<FmmWorkspaces<T>> const& workspaces, FmmPlanning const& parameters,
                   FmmInput<T> input, Loop const& loop);
  double communication_seconds(FmmTree const& tree, int order) const;  ///< seconds that messages add to the far part
  void add_sample(FmmPointSet<T>& points, RowsInRoot<T> const& targets, std::optional<RowsInRoot<T>> const& sources);
  /// The error of the softening in a tree, 0 if there is none. Throws Error{bad_input} if it is too large.
  double softening_error_of(FmmTree const& tree, FmmRoot const& root, int separation) const;
  /// Whether solves find the virial of a periodic cell.
  bool has_faces() const { return options_.virial && options_.periodicity != Periodicity::none; }
  bool judges_strengths(GivenArrays<T const> const& strengths, FmmPointSet<T> const& points) const;
  Points in_finer_plan(Points const& points, FinerPlan const& finer);
  void keep_finer(FmmPlanning const& parameters);

  using Base::finer_mutex_, Base::machine_, Base::mutex_, Base::options_, Base::ranks_, Base::runtime_;
  std::shared_ptr<CapturedChains> const captured_ = std::make_shared<CapturedChains>();  ///< of its solves
  SpareRooms rooms_;                                                                     ///< of trees made on a GPU
  std::shared_ptr<FmmSetup<T>> setup_;
  std::optional<FmmPlanning> parameters_;
  double seconds_to_check_ = 0;     ///< a budget: checks may take so much before others may
  std::optional<FinerPlan> finer_;  ///< order and separation that earlier points needed
};

}  // namespace nearfar::detail
