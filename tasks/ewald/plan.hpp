// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/far/far_virial_operator.hpp"
#include "core/ewald/far/influence.hpp"
#include "core/ewald/grid.hpp"
#include "core/geometry/axes.hpp"
#include "core/geometry/cells.hpp"
#include "core/geometry/length_unit.hpp"
#include "core/kernels/description/description.hpp"
#include "core/plan/ewald/clustering.hpp"
#include "core/plan/ewald/error/far_square.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "core/plan/machine.hpp"
#include "core/tree/loop.hpp"
#include "tasks/engine/arena.hpp"
#include "tasks/engine/chain/captured_chains.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"
#include "tasks/engine/workspaces.hpp"
#include "tasks/ewald/point_set.hpp"
#include "tasks/nodes/messages/recording.hpp"
#include "tasks/nodes/owners.hpp"
#include "tasks/particles/particle_plan.hpp"
#include "tasks/points/extent.hpp"
#include "tasks/spectral/transform.hpp"

#include "codelets/spectral/tables.hpp"

#include <nearfar/ewald.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace nearfar::detail {

/// What the far part works with, in its precision, which may be single in a solve in double.
template <class A>
struct FarSetup {
  using Number = A;

  FarSetup(SpectralLayout const& layout, int components, std::int64_t multipliers, Ranks const& ranks, int gpus,
           Content content, FarSetup const* like)
      : table_memory(1), multiplier_memory(std::size_t(multipliers)),
        transform(layout, components, ranks, gpus, content, like != nullptr ? &like->transform : nullptr) {}

  Arena<EwaldTables<A>> table_memory;
  Arena<A> multiplier_memory;
  Data tables;
  Data multipliers;              ///< of modes (codelets/spectral/scale/multipliers.hpp), or the influence function
  std::array<A, 4> zero_mode{};  ///< what stands for the multiplier at k = 0, for each component on the grid
  FarSlope<A> slope;             ///< of the multiplier, where solves find a virial
  SpectralTransform<A> transform;
};
template <class T>
using AnyFarSetup =
    std::conditional_t<std::is_same_v<T, float>, std::variant<FarSetup<T>>, std::variant<FarSetup<T>, FarSetup<float>>>;

/// The grid of one solve: slabs, and the tiles of its transform. Solves take turns; what a solve finds in it is
/// overwritten, and StarPU orders those that share one.
struct EwaldWorkspace {
  std::vector<Data> slabs;
  Tiles tiles;

  Handle slab(int s) const { return slabs[std::size_t(s)]; }
  std::vector<Handle> all_slabs() const { return {slabs.begin(), slabs.end()}; }
};

/// What follows from the parameters, made once: geometry, tables, and the handles that solves share. Everything that
/// tasks get is in our unit of length, which the box decides; options, parameters and `box` are in the caller's.
template <class T>
struct EwaldSetup {
  EwaldSetup(EwaldOptions const& options, EwaldPlanning const& parameters, Ranks const& ranks = Ranks::one(),
             double finer = 1, Content content = Content::whole);
  /// In another cell, with the parameters of `like` but for edges and cells (in_other_cell), and so with all its tables
  /// that no cell is in. `loop` makes the others.
  EwaldSetup(EwaldSetup const& like, EwaldOptions const& options, EwaldPlanning const& parameters, Ranks const& ranks,
             Loop const& loop);

  EwaldOptions options;  ///< that it is made for: the plan's, with all edges, and as fine as it needs
  EwaldPlanning parameters;
  std::array<double, 3> box;
  std::array<double, 3> given_box;  ///< its edges as given: 0 where they follow from the points
  /// For what the parameters were chosen: this cell, or one before that was of about the same shape (set_cell).
  struct Choice {
    EwaldOptions options;
    EwaldPlanning parameters;
  } chosen;
  LengthUnit unit;
  Cells cells;
  Grid grid;
  Axes axes;
  KernelDescription const& kernel;
  Outputs asked;        ///< by the caller: some of what the kernel computes
  bool zero_face_flux;  ///< the far part has a field from the mode k = 0
  bool virial;          ///< solves find it
  Arena<EwaldTables<T>> table_memory;
  Data tables;  ///< of the near part
  /// What the multipliers are made from after construction (make_influence), where the plan has a table of them.
  std::optional<InfluenceFunction> influence;
  std::vector<double> corrections;  ///< influence_corrections
  AnyFarSetup<T> far;
  bool owned = false;  ///< it is decided which of several ranks has which slabs
  double tolerance;    ///< that the parameters were chosen for, finer than the plan's for weak fields
  /// So many times, beyond what is so for few targets and crystals; below 1: coarser, as ToleranceOf::whole allows.
  double finer;
  PlaneSpacing planes{};  ///< on which sources may lie
  /// What that many sources find wrong (core/plan/ewald/parameters.hpp), in our unit.
  FarNoise noise, far_noise;                       ///< of all, and without that of pairs in single precision
  std::array<double, max_derivatives + 1> slopes;  ///< estimate_slopes, in our unit
  WrongSum wrong_sum;                              ///< estimate_wrong_sum, likewise

  /// Of slabs, columns and blocks.
  Owners const& owners() const {
    return std::visit([](auto const& f) -> Owners const& { return f.transform.owners(); }, far);
  }
  void turn_owners(int first) {
    std::visit([&](auto& f) { f.transform.turn_owners(first); }, far);
  }

  /// Whether the far part of a virial needs sums over modes: of what is along periods. Along free directions it is a
  /// sum over forces.
  bool virial_of_modes() const { return virial && grid.layout.free < 3; }

  EwaldWorkspace& workspace_for(SolveState const& solve);
  /// Whether solves use the same memory for their grids as those of another cell.
  bool shares_workspaces(EwaldSetup const& other) const noexcept { return workspaces_ == other.workspaces_; }

  std::shared_ptr<CapturedChains> captured = std::make_shared<CapturedChains>();  ///< of its solves
  PointRooms rooms;

 private:
  /// Options and parameters in our unit.
  EwaldSetup(EwaldOptions const& options, EwaldPlanning const& parameters, Ranks const& ranks, double finer,
             Content content, LengthUnit const& unit, EwaldSetup const* like, Loop const& loop);

  std::shared_ptr<Workspaces<EwaldWorkspace>> workspaces_;  ///< of all cells whose grids have the same sizes
};

/// Whether the mode k = 0 makes sums depend on coordinates as given: it is a choice only in a fully periodic box.
bool has_zero_face_flux(EwaldOptions const& options);
/// The unit for a box.
LengthUnit unit_of(std::array<double, 3> const& box);
/// Converts lengths to a unit. Throws Error{bad_input} for a gauge length that is out of range there.
EwaldOptions in_our_unit(LengthUnit const& unit, EwaldOptions options);
EwaldPlanning in_our_unit(LengthUnit const& unit, EwaldPlanning parameters);
EwaldPlanning in_callers_unit(LengthUnit const& unit, EwaldPlanning parameters);

/// What reviews look at in rows of strengths and results.
template <class T>
CheckRowsArgs checked_rows(EwaldSetup<T> const& setup);

/// The implementation of BasicEwald.
template <class T>
class EwaldPlan : public ParticlePlan<EwaldPlan<T>, T, PointSet<T>, EwaldOptions> {
  using Base = ParticlePlan<EwaldPlan<T>, T, PointSet<T>, EwaldOptions>;
  friend Base;

 public:
  using Points = std::shared_ptr<PointSet<T>>;
  using Submitted = Submission<T, PointSet<T>>;

  EwaldPlan(std::shared_ptr<RuntimeState> runtime, EwaldOptions const& options);
  /// With parameters that are already chosen; for this process alone, or the given ranks.
  EwaldPlan(std::shared_ptr<RuntimeState> runtime, EwaldOptions const& options, EwaldPlanning const& parameters,
            Ranks const& ranks = Ranks::one());
  ~EwaldPlan() { this->begin_to_go(); }

  void set_cell(CellRows const& cell);
  Points set_cell(Points const& before, CellRows const& cell);

  EwaldOptions const& options() const noexcept { return given_; }
  EwaldPlanning parameters() const;
  EwaldSetup<T> const& setup() const { return *setup_; }

 private:
  /// `given`: options that all ranks agree on. Without a machine and a setup.
  EwaldPlan(std::shared_ptr<RuntimeState> runtime, Ranks const& ranks, EwaldOptions const& given);

  // What ParticlePlan asks of a method.
  Points set_rows(OnHost<T> const& sources, OnHost<T> const& targets, Targets which);
  Points set_given(OnHost<T> const& sources, OnHost<T> const& targets, Targets which);
  Points move_given(Points const&, OnHost<T> const& sources, OnHost<T> const& targets, Targets which) {
    return this->set_points(sources, targets, which);
  }
  Points move_views(Points const&, RowsIn const& sources, RowsIn const* targets) {
    return this->set_views(sources, targets);
  }
  Region region() const;
  /// What is repeated has missed the tolerance: it stays on the rung that was made for it.
  Points points_for(Points const& points, Submitted const& s) { return s.again ? points : coarse_enough(points); }
  static bool is_reviewed(Submitted const& s) { return s.part == Part::whole && !s.trial; }
  double predicted(Submitted const& s) const;
  void build(Graph& graph, Submitted const& s, SolveArrays<T> const& arrays) const;
  FoundErrors errors_found(Submitted const& s);
  Missed judged(PointSet<T> const& points, double error, double rounding) const;
  /// For each field of a row, so much of the first field that the field counts as zero: of none.
  static std::vector<double> negligible(PointSet<T> const&) { return {}; }
  static double of_forces(PointSet<T> const& points);
  Points finer(Points const& points, Missed const& missed);
  void keep(Points const& points);
  void keep_finer(std::shared_ptr<EwaldSetup<T>> const& setup);  ///< for later points

  /// A setup that fits points, and what was found out about them for that.
  struct Fitting {
    std::shared_ptr<EwaldSetup<T>> setup;
    Arrangement sources;
    Extent extent;   ///< if the box depends on it
    CellRows given;  ///< the cell as the caller gave it, for points that are not in another plan yet
    std::shared_ptr<GpuCellSort<T>> sorting{};  ///< of the sources, if it has begun
  };
  /// For points that all ranks give; a new setup if the last does not fit. Collective.
  Fitting setup_for(OnHost<T> const& sources, OnHost<T> const& targets, GivenParts const& parts, Targets which);
  /// The same plan in the cell of now: the setup itself, or one with its parameters; none if these do not do there.
  /// Collective.
  std::shared_ptr<EwaldSetup<T>> in_present_cell(std::shared_ptr<EwaldSetup<T>> const& setup);
  /// The cell of now, which set_cell changes: its box, its reduced rows, and its rows as given.
  struct PresentCell {
    std::array<double, 3> box;
    std::optional<CellRows> reduced;
    CellRows given;
  };
  PresentCell present_cell() const;
  void take(PresentCell const& cell);
  /// The options with the cell of now.
  EwaldOptions present_options() const {
    std::lock_guard const lock(mutex_);
    return options_;
  }
  /// Sources and targets as all ranks gave them. Collective.
  std::pair<std::vector<T>, std::vector<T>> given_points(PointSet<T> const& points) const;
  /// How the sources lie that all ranks give, from a small sample. `meanwhile` is called when that has been read.
  /// Collective.
  Arrangement arrangement_of(EwaldSetup<T> const& setup, Extent const& extent, OnHost<T> const& sources,
                             Parts const& parts, std::function<void()> const& meanwhile) const;
  Frame frame_in(EwaldSetup<T> const& setup, Extent const& extent) const;
  /// Begins to sort sources on a GPU, if one will do that.
  std::shared_ptr<GpuCellSort<T>> begin_sorting(EwaldSetup<T>& setup, Extent const& extent, OnHost<T> const& sources,
                                                OnHost<T> const& targets, Targets which) const;
  /// Clustering of points that all ranks give, in the options' box, whose corner is `origin`. Collective.
  Clustering clustering_of(EwaldOptions const& options, std::array<double, 3> const& origin, OnHost<T> const& sources,
                           OnHost<T> const& targets, GivenParts const& parts, Targets which) const;
  /// A setup for these options, whose box may have open edges, in a box without; finer than their tolerance by this
  /// factor. Collective.
  Fitting planned_for(EwaldOptions const& open, std::array<double, 3> const& box, Extent const& extent,
                      OnHost<T> const& sources, OnHost<T> const& targets, GivenParts const& parts, Targets which,
                      double finer);
  /// Sets points that all ranks give, each its own. Collective.
  Points in_blocks(Fitting const& fitting, OnHost<T> const& sources, OnHost<T> const& targets, GivenParts const& parts,
                   Targets which);
  Points block_points(Fitting const& fitting, OnHost<T> const& sources, OnHost<T> const& targets, Targets which);
  /// The same for several ranks, by exchange.
  Points deal_points(std::shared_ptr<EwaldSetup<T>> const& setup, Extent const& extent, std::span<T const> sources,
                     std::span<T const> targets, GivenParts const& parts, Targets which);
  /// A plan finer than the options' tolerance by this factor, as far as the precision allows.
  std::shared_ptr<EwaldSetup<T>> make_setup(EwaldOptions options, std::size_t sources, std::size_t targets,
                                            Clustering const& clustering, double finer);
  double finest(EwaldOptions const& options) const;  ///< the finest tolerance for which plans are made
  /// Relative l2 error of a solve, what of it the far part has, and what the energy is off by.
  struct Found {
    double error, of_far, energy;
  };
  /// Of one of the vectors in these rows.
  Found found(Submitted const& s, VectorNumber const& vector) const;
  /// The same points in the coarser plan that solves have found to do, where ToleranceOf::whole allows it. Collective.
  Points coarse_enough(Points const& points);
  using Helps = std::function<bool(EwaldSetup<T> const& after)>;
  /// The same points in a plan finer than the options' tolerance by this factor; none if that does not help.
  /// Collective.
  Points planned_again(Points const& points, double finer, Helps const& helps);
  /// What a solve with a plan of this factor has found about the field: the factor that later plans need.
  void note_error(Found const& found, double finer);
  /// The factor of the plan that later points should have, where one with this factor is there. Collective.
  double fit_factor(double finer) const;
  std::shared_ptr<EwaldSetup<T>> set_up(EwaldOptions const& options, EwaldPlanning const& parameters, double finer);
  /// Makes its influence function, if it has one.
  void complete(EwaldSetup<T>& setup) const;

  using Base::finer_mutex_, Base::machine_, Base::mutex_, Base::options_, Base::ranks_, Base::runtime_;
  // options_ are with the reduced cell, which set_cell changes: box and cell under the mutex.
  EwaldOptions const given_;  ///< to the constructor
  CellRows cell_;             ///< as given last
  std::shared_ptr<EwaldSetup<T>> setup_;
  /// Setups that earlier points needed, of which later ones use the last. The others wait there for the caller's
  /// thread: a worker, on which a solve ends, cannot release data.
  std::vector<std::shared_ptr<EwaldSetup<T>>> finer_;
  /// With ToleranceOf::whole the factor by which later plans are finer, by what solves have found, and its least value:
  /// strengths that a coarser plan has failed may come again.
  std::atomic<double> needed_{1}, least_needed_{0};
};

}  // namespace nearfar::detail
