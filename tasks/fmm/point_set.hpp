// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/check/sample.hpp"
#include "tasks/fmm/faces/face_tables.hpp"
#include "tasks/fmm/moved_far.hpp"
#include "tasks/fmm/tree/dealt_leaves.hpp"
#include "tasks/fmm/tree/root.hpp"
#include "tasks/fmm/tree/tree.hpp"
#include "tasks/particles/ladder.hpp"
#include "tasks/points/planned_points.hpp"

#include <nearfar/fmm.hpp>

#include <atomic>
#include <optional>
#include <utility>
#include <vector>

namespace nearfar::detail {

template <class T>
struct FmmSetup;

/// Points to be put into the leaves of a tree; with connected ranks those that this one gives, by leaf.
template <class T>
struct FmmInput {
  PointsInRoot<T> sources, targets;
  Targets which;  ///< if they are the sources, `targets` are these, too
  bool distinct;  ///< it is known that no two sources coincide
  GivenParts parts;
  LeafPoints own_sources{}, own_targets{};
};

/// Points of a multipole plan, in the leaves of a tree: relative to the centre of its root and in its unit.
template <class T>
class FmmPointSet : public PlannedPoints<T>, public Rung<FmmPointSet<T>> {
 public:
  /// Takes the order of the points from the tree. If the targets are the sources, throws Error{bad_input}
  /// for two sources that coincide; the search is skipped if they are known to be `distinct`.
  FmmPointSet(std::shared_ptr<RuntimeState> runtime, void const* plan, std::shared_ptr<FmmSetup<T>> setup,
              std::shared_ptr<FmmTree> tree, std::shared_ptr<FmmWorkspaces<T>> workspaces,
              FmmPlanning const& parameters, PointsInRoot<T> const& sources, PointsInRoot<T> const& targets,
              Targets which, bool distinct, Loop const& loop);

  /// Sources, and targets if they are others, put into the leaves of the tree already.
  FmmPointSet(std::shared_ptr<RuntimeState> runtime, void const* plan, std::shared_ptr<FmmSetup<T>> setup,
              std::shared_ptr<FmmTree> tree, std::shared_ptr<FmmWorkspaces<T>> workspaces,
              FmmPlanning const& parameters, PointsInRoot<T> const& sources, std::vector<BlockedPoints<T>> in_leaves);

  /// With connected ranks: without points, which `deal` transfers.
  FmmPointSet(std::shared_ptr<RuntimeState> runtime, void const* plan, std::shared_ptr<FmmSetup<T>> setup,
              std::shared_ptr<FmmTree> tree, std::shared_ptr<FmmWorkspaces<T>> workspaces,
              FmmPlanning const& parameters, PointsInRoot<T> const& sources);
  /// Transfers to each rank the points that it needs; `curve` is that of the tree, for
  /// keys of `level`. Throws Error{bad_input} as the constructor does. Collective.
  void deal(Ranks const& ranks, FmmInput<T> input, LeafCurve const& curve, int level, Loop const& loop);
  /// For ranks that are not connected, and have all points.
  void set_parts(Parts sources, Parts targets, Ranks const& ranks);

  ~FmmPointSet() { this->begin_to_go(); }

  FmmSetup<T>& setup() const noexcept { return *setup_; }
  std::shared_ptr<FmmSetup<T>> const& shared_setup() const noexcept { return setup_; }
  std::shared_ptr<FmmTree> const& tree() const noexcept { return tree_; }
  std::shared_ptr<FmmWorkspaces<T>> const& workspaces() const noexcept { return workspaces_; }
  FmmPlanning const& parameters() const noexcept { return parameters_; }
  /// For a virial of a periodic cell; else null.
  std::shared_ptr<FaceTables const> const& faces() const noexcept { return faces_; }
  void set_faces(std::shared_ptr<FaceTables const> faces) noexcept { faces_ = std::move(faces); }
  LengthUnit const& unit() const noexcept { return unit_; }
  /// Whether there are several ranks, each with only the points that it needs.
  bool is_dealt() const noexcept { return !own_sources_.begin.empty(); }
  /// In that case, the points that this rank gave, by leaf.
  LeafPoints const& own(Side side) const noexcept { return side == Side::sources ? own_sources_ : own_targets_; }
  /// As the caller gave them, but wrapped into a periodic cell; if dealt, those of this rank. Collective.
  std::vector<T> rows(Side side, Ranks const& ranks) const;

  /// Whether strengths of a solve were examined: whether few of them carry the sum.
  bool strengths_judged() const noexcept { return strengths_judged_.load(); }
  void set_strengths_judged() noexcept { strengths_judged_ = true; }
  /// Whether a solve was reviewed, with these points or with others from which they have not moved far.
  bool reviewed() const noexcept { return reviewed_.load(); }
  void set_reviewed() noexcept { reviewed_ = true; }
  /// Before anybody else has these points.
  void set_seen(SeenPoints seen) noexcept { seen_ = std::move(seen); }
  /// They have moved from points that may have been reviewed.
  void set_moved_from(FmmPointSet const& before);
  std::vector<int> owners() const;                                         ///< of blocks
  CheckSample<T> const* sample() const noexcept { return sample_.get(); }  ///< null if nothing is checked
  void set_sample(std::shared_ptr<CheckSample<T>> sample) noexcept { sample_ = std::move(sample); }
  /// The error of the last solve that was checked at all targets, not at a sample of them; below 0: none was.
  double known_error() const noexcept { return known_error_.load(); }
  void set_known_error(double error) noexcept { known_error_.store(error); }
  /// Whether the plan of the rung below has boxes that are separated as well as those of this one.
  bool has_higher_order() const;

 private:
  std::vector<TargetRange> ranges() const;

  std::shared_ptr<FmmSetup<T>> setup_;
  std::shared_ptr<FmmTree> tree_;
  std::shared_ptr<FaceTables const> faces_;
  std::shared_ptr<FmmWorkspaces<T>> workspaces_;
  FmmPlanning parameters_;
  LeafPoints own_sources_, own_targets_;
  LengthUnit unit_;
  std::array<double, 3> near_origin_;
  std::shared_ptr<CheckSample<T>> sample_;
  std::atomic<double> known_error_{-1};
  std::atomic<bool> strengths_judged_{false}, reviewed_{false};
  SeenPoints seen_;
  std::optional<SeenPoints> seen_at_review_;  // if other points were reviewed
};

}  // namespace nearfar::detail
