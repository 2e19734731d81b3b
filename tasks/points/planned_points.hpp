// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/merge/merge.hpp"
#include "core/geometry/targets.hpp"
#include "core/plan/placement.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"
#include "tasks/nodes/owners.hpp"
#include "tasks/nodes/parts.hpp"
#include "tasks/nodes/ranks.hpp"
#include "tasks/points/blocked_points.hpp"
#include "tasks/points/expect.hpp"
#include "tasks/points/row_routes.hpp"
#include "tasks/points/views/moved_pair.hpp"
#include "tasks/points/worker_loop.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// Which sources and targets each rank gives, this one so many numbers; no targets if they are the sources. With
/// several ranks all throw Error{bad_input} if one gives incomplete points, or nobody any.
inline GivenParts parts_of(Ranks const& ranks, std::size_t sources, std::size_t targets, Targets which) {
  ranks.together([&] {
    expect_whole_points("sources", sources);
    expect_whole_points("targets", targets);
  });
  GivenParts parts{ranks.parts(sources / 3), ranks.parts(targets / 3)};
  expect_some("sources", parts.sources.all());
  if (which == Targets::own) expect_some("targets", parts.targets.all());
  return parts;
}

/// The points that this rank gives, in the order of their blocks.
struct OwnRows {
  std::vector<std::size_t> first{0};  ///< of each block, and the end
  std::vector<std::uint32_t> row;     ///< among those that it gives

  std::span<std::uint32_t const> of(int block) const noexcept {
    auto const b = std::size_t(block);
    return std::span(row).subspan(first[b], first[b + 1] - first[b]);
  }
};

/// The same if this rank holds all blocks.
template <class T>
OwnRows own_rows(BlockedPoints<T> const& points, Parts const& parts, int rank) {
  OwnRows own;
  auto const first = parts.first[std::size_t(rank)], last = parts.first[std::size_t(rank) + 1];
  for (int b = 0; b < points.blocks(); ++b) {
    for (std::uint32_t const row : std::span(points.rows(b), std::size_t(points.count(b))))
      if (row >= first && row < last) own.row.push_back(std::uint32_t(row - first));
    own.first.push_back(own.row.size());
  }
  return own;
}

/// Which strengths are sent between ranks when a solve begins: from those that gave the sources to
/// those that sort their blocks. There, rows of the rank's own sources precede those that arrive.
struct Routes {
  std::vector<std::vector<std::uint32_t>> send;  ///< for each other rank: indices among the sources that this one gives
  std::vector<int> receive;                      ///< number from each other rank
};

/// Sources and targets of a plan, in blocks; one set of blocks if they are the same
/// points. They keep what they were blocked for, even when the plan has moved on.
template <class T>
class PlannedPoints {
 public:
  PlannedPoints(std::shared_ptr<RuntimeState> runtime, void const* plan) : runtime_(std::move(runtime)), plan_(plan) {}

  BlockedPoints<T> const& sources() const noexcept { return *sources_; }
  BlockedPoints<T> const& targets() const noexcept { return targets_ ? *targets_ : *sources_; }
  /// Whether the targets are the sources.
  bool same() const noexcept { return !targets_; }
  Targets which() const noexcept { return same() ? Targets::sources : Targets::own; }
  bool belongs_to(void const* plan) const noexcept { return plan == plan_; }

  /// What was subtracted from all points (tasks/points/views/packed_points.hpp), and pairs that their rounding to T has
  /// moved; none if none of any rank was rounded.
  std::array<double, 3> const& offset() const noexcept { return offset_; }
  std::shared_ptr<MovedPairs const> const& moved() const noexcept { return moved_; }
  void set_packed(std::array<double, 3> const& offset, std::shared_ptr<MovedPairs const> moved) noexcept {
    offset_ = offset;
    moved_ = std::move(moved);
  }
  /// Pairs that show what sums in single precision do to fields that cancel (tasks/points/views/rounded_pairs.hpp).
  MovedPairs const& rounded() const noexcept { return rounded_; }
  void set_rounded(MovedPairs pairs) noexcept { rounded_ = std::move(pairs); }

  /// Which workers solve with these points.
  Placement placement() const noexcept { return placement_; }
  bool all_on_gpus() const noexcept { return placement_ == Placement::all_on_gpus; }
  void set_placement(Placement placement) noexcept { placement_ = placement; }

  /// Which rank gave which of them.
  Parts const& source_parts() const noexcept { return source_parts_; }
  Parts const& target_parts() const noexcept { return same() ? source_parts_ : target_parts_; }
  GivenParts parts() const { return {source_parts_, target_parts_}; }
  /// With several ranks, after set_routes.
  Routes const& routes() const noexcept { return routes_; }
  /// The indices of the strengths of a block's sources among those that this rank's tasks find (Routes).
  Handle strength_rows(int block) const noexcept {
    return strength_row_.empty() ? sources().index(block) : Handle(strength_row_[std::size_t(block)]);
  }
  /// GPUs of this process that share solves with these points.
  int gpus() const noexcept {
    if (!all_on_gpus() || range_owners_.empty()) return 1;
    return std::max(1,
                    1 + std::max(*std::ranges::max_element(block_owners_), *std::ranges::max_element(range_owners_)));
  }
  /// Finds by tasks which strengths and results go where, for rows that are cut as here: where several GPUs share
  /// solves with points that GPUs have sorted.
  void find_routes(std::vector<Stretch> const& strengths, std::vector<Stretch> const& results) const {
    if (!sources().in_runtime_memory() || !targets().in_runtime_memory()) return;
    auto const of_points = [](std::vector<int> const& all, auto const& has) {  // blocks of inner boxes have none
      std::vector<int> owners;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (has(i)) owners.push_back(all[i]);
      return owners;
    };
    auto const has_sources = [&](std::size_t b) { return sources().groups(int(b)) > 0; };
    auto const has_targets = [&](std::size_t r) { return ranges_[r].points.count() > 0; };
    if (!sources_by_tasks(of_points(block_owners_, has_sources), strengths) ||
        !targets_by_tasks(of_points(range_owners_, has_targets), results))
      return;
    RowRoutes routes = RowRoutes::by_tasks<T>(runtime_, {sources(), block_owners_, strengths},
                                              {targets(), ranges_, range_owners_, results});
    made(source_routes_, key_of(strengths), [&] { return std::move(routes.sources); });
    made(target_routes_, key_of(results), [&] { return std::move(routes.targets); });
  }
  /// Which strengths go where, for rows in these stretches; which results. Made when they are first asked for, and kept
  /// with the points. Thread-safe. Where all points are here, in one process.
  SourceRoutes const& source_routes(std::vector<Stretch> const& stretches) const {
    return made(source_routes_, key_of(stretches), [&] {
      sources().bring_rows_to_host(runtime_);
      return SourceRoutes(sources(), block_owners_, stretches, worker_loop(runtime_, sources().size()));
    });
  }
  TargetRoutes const& target_routes(std::vector<Stretch> const& stretches) const {
    return made(target_routes_, key_of(stretches), [&] {
      targets().bring_rows_to_host(runtime_);
      return TargetRoutes(targets(), ranges_, range_owners_, stretches, gpus() > 1,
                          worker_loop(runtime_, targets().size()));
    });
  }

  /// The ranks that take the results of a task's range; none in particular if set_parts was not called.
  std::vector<Taker> const& takers(std::size_t range) const noexcept {
    static std::vector<Taker> const nobody{{}};
    return takers_.empty() ? nobody : takers_[range];
  }
  /// Whether another rank takes results of a range that `owner` computes.
  bool results_leave(std::size_t range, int owner) const noexcept {
    return std::ranges::any_of(takers(range), [owner](Taker const& taker) { return taker.rank != owner; });
  }
  /// Rows of the results that this rank takes of a range; `index` if nobody has given the points.
  Handle taken_rows(std::size_t range, Handle index) const noexcept {
    return taken_.empty() ? index : Handle(taken_[range]);
  }
  /// Which points of a range another rank takes results of, by its place among those takers; `index` as above.
  Handle leaving_points(std::size_t range, std::size_t other, Handle index) const noexcept {
    if (leaving_.empty()) return index;
    return other < leaving_[range].size() ? Handle(leaving_[range][other]) : nullptr;
  }
  /// Number of targets whose results a rank receives.
  GivenRows given_by(int rank) const noexcept {
    Parts const& parts = target_parts();
    if (parts.only() >= 0) return {};
    return {std::uint32_t(parts.first[std::size_t(rank)]), std::uint32_t(parts.first[std::size_t(rank) + 1])};
  }

 private:
  std::shared_ptr<RuntimeState> runtime_;  // first, so that StarPU outlives the handles
  Awake awake_;
  void const* plan_;
  std::array<double, 3> offset_{};
  std::shared_ptr<MovedPairs const> moved_;
  MovedPairs rounded_;
  Placement placement_ = Placement::cpus;
  Parts source_parts_, target_parts_;
  Routes routes_;
  std::vector<std::vector<Taker>> takers_;
  std::vector<std::uint32_t> strength_row_memory_, taken_memory_, leaving_memory_;
  std::vector<Data> strength_row_, taken_;  // after their memory, so that they are destroyed first
  std::vector<std::vector<Data>> leaving_;  ///< of this rank's ranges
  // Of one process:
  std::vector<TargetRange> ranges_;
  std::vector<int> block_owners_, range_owners_;
  template <class Routes>
  using Kept = std::list<std::pair<StretchKey, Routes>>;
  mutable std::mutex routes_mutex_;
  mutable Kept<SourceRoutes> source_routes_;
  mutable Kept<TargetRoutes> target_routes_;

  template <class Routes, class Make>
  Routes const& made(Kept<Routes>& kept, StretchKey key, Make const& make) const {
    std::lock_guard const lock(routes_mutex_);
    for (auto const& [known, routes] : kept)
      if (known == key) return routes;
    return kept.emplace_back(std::move(key), make()).second;
  }

  /// The ranks that gave targets of a range, in a block that is held here.
  std::vector<Taker> takers_of(TargetRange const& range) const {
    std::vector<Taker> takers;
    for (int i = range.points.first; i < range.points.last; ++i) {
      int const rank = target_parts().rank_of(this->targets().rows(range.block)[i]);
      auto taker = std::ranges::find(takers, rank, &Taker::rank);
      if (taker == takers.end()) taker = takers.insert(taker, {rank, 0});
      ++taker->count;
    }
    std::ranges::sort(takers, {}, &Taker::rank);
    return takers;
  }

 protected:
  /// To be called first when these points are destroyed.
  void begin_to_go() { awake_.begin(runtime_); }

  /// For tasks of these ranges, in order, each with an owner. A rank that
  /// does not hold all blocks has those of its ranges; then collective.
  void set_parts(Parts sources, Parts targets, std::vector<TargetRange> const& ranges, std::vector<int> const& owners,
                 Ranks const& ranks, bool all_here) {
    source_parts_ = std::move(sources);
    target_parts_ = std::move(targets);
    Parts const& parts = target_parts();
    takers_.assign(ranges.size(), {});
    int const only = parts.first.size() == 2 ? everywhere : parts.only();
    if (parts.only() >= 0) {
      for (std::size_t i = 0; i < ranges.size(); ++i) takers_[i] = {{only, ranges[i].points.count()}};
      return;
    }
    struct Found {
      std::uint32_t range;
      Taker taker;
    };
    std::vector<Found> found, store;
    for (std::size_t i = 0; i < ranges.size(); ++i)
      if (all_here || owners[i] == ranks.rank())
        for (Taker const& taker : takers_of(ranges[i])) found.push_back({std::uint32_t(i), taker});
    std::span<Found const> all = found;
    if (!all_here) all = ranks.join(all, ranks.parts(found.size()), 1, store);
    for (Found const& f : all) takers_[f.range].push_back(f.taker);
  }

  /// set_parts and set_routes where this rank holds all blocks.
  void set_all_parts(Parts sources, Parts targets, std::vector<TargetRange> const& ranges,
                     std::vector<int> const& block_owners, std::vector<int> const& range_owners, Ranks const& ranks) {
    set_parts(std::move(sources), std::move(targets), ranges, range_owners, ranks, true);
    if (!ranks.several()) {
      ranges_ = ranges;
      block_owners_ = block_owners;
      range_owners_ = range_owners;
      return;
    }
    set_routes(ranges, block_owners, range_owners, own_rows(this->sources(), source_parts(), ranks.rank()),
               own_rows(this->targets(), target_parts(), ranks.rank()), ranks);
  }

  /// The takers of each range, instead of set_parts: if nobody has given the points.
  void set_takers(std::vector<std::vector<Taker>> takers) { takers_ = std::move(takers); }

  /// After set_parts, with several ranks: `block_owners` of the blocks
  /// of sources, `range_owners` of the ranges; and what this rank gives.
  void set_routes(std::vector<TargetRange> const& ranges, std::vector<int> const& block_owners,
                  std::vector<int> const& range_owners, OwnRows const& own_sources, OwnRows own_targets,
                  Ranks const& ranks) {
    set_strength_routes(block_owners, own_sources, ranks);
    set_leaving(ranges, range_owners, ranks.rank());
    taken_memory_ = std::move(own_targets.row);
    int block = -1;
    std::size_t next = 0;  // of this rank's targets in the block
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      if (ranges[i].block != block) next = own_targets.first[std::size_t(block = ranges[i].block)];
      auto& taken = taken_.emplace_back();
      auto const mine = std::ranges::find(takers_[i], ranks.rank(), &Taker::rank);
      if (mine == takers_[i].end()) continue;
      if (range_owners[i] != ranks.rank()) taken = Data::constant("rows of results", &taken_memory_[next], mine->count);
      next += std::size_t(mine->count);
    }
  }

 private:
  void set_leaving(std::vector<TargetRange> const& ranges, std::vector<int> const& owners, int mine) {
    std::size_t room = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i)
      for (Taker const& taker : takers_[i])
        if (owners[i] == mine && taker.rank != mine) room += std::size_t(taker.count);
    leaving_memory_.resize(room);
    leaving_.resize(ranges.size());
    std::vector<std::uint32_t*> place(target_parts().first.size());  // of the next point for each rank
    std::uint32_t* begin = leaving_memory_.data();
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      if (owners[i] != mine) continue;
      for (Taker const& taker : takers_[i]) {
        if (taker.rank == mine) continue;
        leaving_[i].push_back(Data::constant("leaving points", begin, taker.count));
        place[std::size_t(taker.rank)] = std::exchange(begin, begin + taker.count);
      }
      auto const [block, points] = ranges[i];
      for (int p = points.first; p < points.last; ++p)
        if (int const rank = target_parts().rank_of(this->targets().rows(block)[p]); rank != mine)
          *place[std::size_t(rank)]++ = std::uint32_t(p - points.first);
    }
  }

  void set_strength_routes(std::vector<int> const& owners, OwnRows const& own, Ranks const& ranks) {
    int const mine = ranks.rank();
    routes_.send.assign(std::size_t(ranks.count()), {});
    routes_.receive.assign(std::size_t(ranks.count()), 0);
    std::size_t room = 0;
    for (int b = 0; b < sources().blocks(); ++b) {
      if (int const owner = owners[std::size_t(b)]; owner != mine) {
        auto const rows = own.of(b);
        auto& send = routes_.send[std::size_t(owner)];
        send.insert(send.end(), rows.begin(), rows.end());
        continue;
      }
      room += std::size_t(sources().stride(b));
      for (int i = 0; i < sources().count(b); ++i)
        if (int const giver = source_parts_.rank_of(sources().rows(b)[i]); giver != mine)
          ++routes_.receive[std::size_t(giver)];
    }
    std::uint32_t const first_own = std::uint32_t(source_parts_.first[std::size_t(mine)]);
    std::vector<std::uint32_t> next(routes_.receive.size(), 0);
    std::exclusive_scan(routes_.receive.begin(), routes_.receive.end(), next.begin(),
                        std::uint32_t(source_parts_.of(mine)));
    strength_row_memory_.assign(room, 0);
    std::uint32_t* place = strength_row_memory_.data();
    for (int b = 0; b < sources().blocks(); ++b) {
      auto& data = strength_row_.emplace_back();
      if (owners[std::size_t(b)] != mine) continue;
      for (int i = 0; i < sources().count(b); ++i) {
        std::uint32_t const row = sources().rows(b)[i];
        int const giver = source_parts_.rank_of(row);
        place[i] = giver == mine ? row - first_own : next[std::size_t(giver)]++;
      }
      data = Data::constant("rows of strengths", place, sources().stride(b));
      place += sources().stride(b);
    }
  }

 protected:
  std::optional<BlockedPoints<T>> sources_, targets_;  ///< no targets: they are the sources
};

/// Throws Error{bad_input} unless `before` are points of this plan, and this rank gives as many
/// moved points as it gave before.
template <class T>
void expect_moved(PlannedPoints<T> const* before, void const* plan, int rank, std::size_t sources, std::size_t targets,
                  Targets which) {
  expect_of_plan(before != nullptr && before->belongs_to(plan));
  expect_movable(before->which(), which);
  expect_as_many("sources", sources, before->source_parts().of(rank));
  if (which == Targets::own) expect_as_many("targets", targets, before->target_parts().of(rank));
}

}  // namespace nearfar::detail
