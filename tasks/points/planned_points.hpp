// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/merge/merge.hpp"
#include "tasks/engine/runtime_state.hpp"
#include "tasks/nodes/owners.hpp"
#include "tasks/nodes/parts.hpp"
#include "tasks/nodes/ranks.hpp"
#include "tasks/points/blocked_points.hpp"
#include "tasks/points/expect.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// Which of sources and targets each rank gives; the latter none where the targets are the sources. Of several ranks
/// all throw Error{bad_input} where one has parts of points, or nobody has any.
template <class T>
std::pair<Parts, Parts> parts_of(Ranks const& ranks, std::span<T const> sources, std::span<T const> targets,
                                 bool same) {
  ranks.together([&] {
    expect_whole_points("sources", sources.size());
    expect_whole_points("targets", targets.size());
  });
  std::pair<Parts, Parts> parts{ranks.parts(sources.size() / 3), ranks.parts(targets.size() / 3)};
  expect_some("sources", parts.first.all());
  if (!same) expect_some("targets", parts.second.all());
  return parts;
}

/// Which sources go from rank to rank when a solve begins: from who gave them to who sorts the block that they are in.
struct Routes {
  std::vector<std::vector<std::uint32_t>> send;     ///< to each rank: numbers among those that this one gives
  std::vector<std::vector<std::uint32_t>> receive;  ///< from each rank, in the same order: numbers among all
};

/// A rank that gave targets of a task's range, and so gets results of it, and how many.
struct Taker {
  int rank = everywhere;
  int count = 0;
};

/// Some points of a block.
struct TargetRange {
  int block;
  PointRange points;
};

/// Sources and targets of a plan, in blocks; one set of blocks where they are the same points. They keep what they were
/// blocked for, also when the plan has moved on.
template <class T>
class PlannedPoints {
 public:
  PlannedPoints(std::shared_ptr<RuntimeState> runtime, void const* plan) : runtime_(std::move(runtime)), plan_(plan) {}

  BlockedPoints<T> const& sources() const noexcept { return *sources_; }
  BlockedPoints<T> const& targets() const noexcept { return targets_ ? *targets_ : *sources_; }
  /// Whether the targets are the sources.
  bool same() const noexcept { return !targets_; }
  bool belongs_to(void const* plan) const noexcept { return plan == plan_; }

  /// Who gave which of them.
  Parts const& source_parts() const noexcept { return source_parts_; }
  Parts const& target_parts() const noexcept { return same() ? source_parts_ : target_parts_; }
  /// Of several ranks, after set_routes.
  Routes const& routes() const noexcept { return routes_; }
  /// Who takes the results of a task's range, by rank; no rank in particular where set_parts was not called.
  std::vector<Taker> const& takers(std::size_t range) const noexcept {
    static std::vector<Taker> const nobody{{}};
    return takers_.empty() ? nobody : takers_[range];
  }
  /// Targets whose results a rank gets.
  GivenRows given_by(int rank) const noexcept {
    Parts const& parts = target_parts();
    if (parts.only() >= 0) return {};
    return {std::uint32_t(parts.first[std::size_t(rank)]), std::uint32_t(parts.first[std::size_t(rank) + 1])};
  }

 private:
  std::shared_ptr<RuntimeState> runtime_;  // first, so that StarPU outlives the handles
  Awake awake_;
  void const* plan_;
  Parts source_parts_, target_parts_;
  Routes routes_;
  std::vector<std::vector<Taker>> takers_;

 protected:
  /// First of all when these points go.
  void begin_to_go() { awake_.begin(runtime_); }

  /// For tasks of these ranges, in the order of their numbers.
  void set_parts(Parts sources, Parts targets, std::vector<TargetRange> const& ranges) {
    source_parts_ = std::move(sources);
    target_parts_ = std::move(targets);
    Parts const& parts = target_parts();
    int const only = parts.first.size() == 2 ? everywhere : parts.only();
    for (auto const& [block, points] : ranges) {
      auto& takers = takers_.emplace_back();
      if (parts.only() >= 0) takers.push_back({only, points.count()});
      else
        for (int i = points.first; i < points.last; ++i) {
          int const rank = parts.rank_of(this->targets().rows(block)[i]);
          auto taker = std::ranges::find(takers, rank, &Taker::rank);
          if (taker == takers.end()) taker = takers.insert(taker, {rank, 0});
          ++taker->count;
        }
      std::ranges::sort(takers, {}, &Taker::rank);
    }
  }

  /// Of each range, by rank, instead of set_parts: where nobody has given the points.
  void set_takers(std::vector<std::vector<Taker>> takers) { takers_ = std::move(takers); }

  /// After set_parts, of several ranks: `owners` of the blocks of sources.
  void set_routes(std::vector<int> const& owners, Ranks const& ranks) {
    auto const mine = std::size_t(ranks.rank());
    routes_.send.assign(std::size_t(ranks.count()), {});
    routes_.receive = routes_.send;
    for (int b = 0; b < sources().blocks(); ++b)
      for (int i = 0; i < sources().count(b); ++i) {
        std::uint32_t const row = sources().rows(b)[i];
        auto const giver = std::size_t(source_parts_.rank_of(row)), taker = std::size_t(owners[std::size_t(b)]);
        if (giver == mine) routes_.send[taker].push_back(std::uint32_t(row - source_parts_.first[mine]));
        if (taker == mine) routes_.receive[giver].push_back(row);
      }
  }

  std::optional<BlockedPoints<T>> sources_, targets_;  ///< no targets: the sources
};

/// Throws Error{bad_input} unless `before` are points of this plan, and a rank gives as many numbers for those that
/// have moved as it gave before. `same`: no targets are given, since they are the sources.
template <class T>
void expect_moved(PlannedPoints<T> const* before, void const* plan, int rank, std::size_t sources, std::size_t targets,
                  bool same) {
  expect_movable(before != nullptr && before->belongs_to(plan), before != nullptr && before->same(), same);
  expect_as_many("sources", sources, before->source_parts().of(rank));
  if (!same) expect_as_many("targets", targets, before->target_parts().of(rank));
}

}  // namespace nearfar::detail
