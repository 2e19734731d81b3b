// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/fmm/choice.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/fmm/check.hpp"
#include "tasks/fmm/gpu/gpu_tree.hpp"
#include "tasks/fmm/setup.hpp"
#include "tasks/points/travelling_rows.hpp"
#include "tasks/points/views/packed_points.hpp"

#include <functional>
#include <mutex>
#include <optional>

namespace nearfar::detail {

/// The implementation of BasicFmm.
template <class T>
class FmmPlan : public std::enable_shared_from_this<FmmPlan<T>> {
 public:
  using Points = std::shared_ptr<FmmPointSet<T>>;

  /// For the machine `given`, and this process alone; else for this machine and all ranks.
  FmmPlan(std::shared_ptr<RuntimeState> runtime, FmmOptions const& options, std::optional<Machine> const& given = {});
  ~FmmPlan() { awake_.begin(runtime_); }

  Points set_points(OnHost<T> const& sources, OnHost<T> const& targets, bool same);
  Points move_points(Points const& before, OnHost<T> const& sources, OnHost<T> const& targets, bool same);
  /// From views of 3 columns; the sources are the targets where there are none.
  Points set_points(RowsIn const& sources, RowsIn const* targets);
  Points move_points(Points const& before, RowsIn const& sources, RowsIn const* targets);
  Solve submit(Points const& points, std::span<T const> strengths, std::span<T> result,
               std::optional<Trial> const& trial = {}, std::function<void()> const& finally = {},
               std::optional<Stream> const& after = {}) {
    return submit(points, strengths, result, trial, false, finally, after);
  }

  FmmOptions const& options() const noexcept { return options_; }
  FmmParameters parameters() const;

 private:
  Points set_rows(std::span<T const> sources, std::span<T const> targets, bool same);
  Points set_views(RowsIn const& sources, RowsIn const* targets);
  Points move_rows(Points const& before, std::span<T const> sources, std::span<T const> targets, bool same);
  /// Relative to the same offset as before.
  Points move_views(Points const& before, RowsIn const& sources, RowsIn const* targets);
  /// By a GPU, where one does all stages and all leaves are best on one level; else null. `room`: of an open root, by
  /// how much it is longer than the smallest one.
  Points set_on_gpu(std::span<T const> rows, double room = 0);
  /// Whether one GPU takes about as long to launch the kernels of a solve as to run them.
  bool suits_chain(FmmPointSet<T> const& points) const;
  Points move_on_gpu(Points const& before, std::span<T const> rows);
  Points put_on_gpu(GpuTree<T>& made, PointsInRoot<T> const& points, std::shared_ptr<FmmTree> const& tree,
                    std::shared_ptr<FmmSetup<T>> const& setup, std::shared_ptr<FmmWorkspaces<T>> const& workspaces,
                    FmmParameters const& parameters);
  int vectors_of(FmmPointSet<T> const& points, std::size_t strengths, std::size_t results) const;
  /// The points of this rank; if ranks are not connected, of all.
  GivenPoints<T> given(std::span<T const> rows, Parts const& parts) const;
  /// For these points; `known` to be where they may be, though rounding may have moved them. Collective, like
  /// everything that makes points.
  FmmRoot root_for(std::span<T const> sources, std::span<T const> targets, std::pair<Parts, Parts> const& parts,
                   bool known = false) const;
  Points made_of(PackedPoints<T> const& packed, Points points) const;
  Region region() const { return {options_.periodicity, options_.box, false}; }
  FmmChoice choose(PointTrees const& trees, std::size_t points, std::size_t targets,
                   std::optional<FinerPlan> const& finer);
  /// In this root or a somewhat longer one; by a finer plan, points that were in another one.
  Points block_points(FmmRoot root, std::span<T const> sources, std::span<T const> targets,
                      std::pair<Parts, Parts> const& parts, bool same, std::optional<FinerPlan> const& finer = {});
  Points move_in_tree(Points const& before, std::span<T const> sources, std::span<T const> targets,
                      std::pair<Parts, Parts> const& parts);
  /// The level of the keys by which points are sorted: the deepest that a tree of this plan may have.
  int key_level() const;
  /// `again`: a solve that was submitted before, with a finer plan.
  Solve submit(Points const& points, std::span<T const> strengths, std::span<T> result,
               std::optional<Trial> const& trial, bool again, std::function<void()> const& finally,
               std::optional<Stream> const& after);
  std::shared_ptr<FmmSetup<T>> setup_for(FmmChoice const& choice);
  Points make_points(Tree tree, FmmChoice const& choice, FmmInput<T> input, Loop const& loop);
  FmmGrain grain(FmmChoice const& choice) const;
  FmmSeconds seconds(FmmChoice const& choice, WorkerKind kind) const;
  /// Of a tree that was chosen; kept as the plan's.
  FmmParameters parameters_of(FmmTree const& tree, FmmChoice const& choice, FmmRoot const& root, double points);
  Points put_into(std::shared_ptr<FmmTree> const& tree, std::shared_ptr<FmmSetup<T>> const& setup,
                  std::shared_ptr<FmmWorkspaces<T>> const& workspaces, FmmParameters const& parameters,
                  FmmInput<T> input, Loop const& loop);
  double wire_seconds(FmmTree const& tree, int order) const;  ///< seconds that messages add to the far part
  void add_sample(FmmPointSet<T>& points, PointsInRoot<T> const& targets);
  Points suited(Points const& points, std::span<T const> strengths, int vectors);
  bool looks_at(std::span<T const> strengths, FmmPointSet<T> const& points) const;
  Points finer(Points const& points, double error, bool order_in_vain);
  Points made_again(Points const& points, FinerPlan const& finer);
  void keep_finer(FmmParameters const& parameters);
  double error_found(FmmPointSet<T> const& points, std::span<double const> sums, int vectors,
                     std::span<T const> result) const;
  Review review(Points const& points, CheckedSums const& sums, int vectors, std::span<T const> strengths,
                std::span<T> result);

  std::shared_ptr<RuntimeState> runtime_;  // first, so that StarPU outlives the handles
  Awake awake_;
  Ranks const& ranks_;  ///< that share the work of this plan
  FmmOptions options_;
  Machine machine_;
  mutable std::mutex mutex_;  // tasks of one plan are submitted by one thread at a time
  TravellingMemories<T> travelling_;
  std::shared_ptr<CapturedChains> const captured_ = std::make_shared<CapturedChains>();  ///< of its solves
  std::shared_ptr<FmmSetup<T>> setup_;
  std::optional<FmmParameters> parameters_;
  double seconds_to_check_ = 0;  ///< a budget: checks may take so much before others may
  std::mutex finer_mutex_;
  std::optional<FinerPlan> finer_;  ///< order and separation that earlier points needed
};

}  // namespace nearfar::detail
