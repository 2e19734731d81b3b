// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/moved_tree.hpp"
#include "tasks/fmm/plan.hpp"
#include "tasks/points/worker_loop.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace nearfar::detail {

namespace {

/// How far outside its box a point may be, in box sides, if no other box holds it. In the worst case, beyond the
/// corners of two diagonal boxes, each order of the expansion then leaves 0.61 of the error instead of 0.58.
constexpr double most_outside = 0.02;
/// A few strays may be farther outside, so that a single point where there were none does not force a new tree. For
/// them each order leaves 0.69 of the error at worst: 12 times the error at order 14, and 1 % more in the norm over all
/// points.
constexpr double stray_outside = 0.25, share_of_strays = 1e-4;
/// Margin around points that have left the root of a tree, relative to their extent, so that not every step needs a new
/// one.
constexpr double room_for_steps = 0.05;

/// A point that is in another leaf than before.
struct Crossing {
  NumberedKey point;
  std::uint32_t leaf;
};

/// The points that a part of the leaves loses to other leaves.
struct Departures {
  std::vector<Crossing> points;
  std::size_t strays = 0;
  bool lost = false;  ///< some point has no suitable box
};

/// Finds boxes for points that have moved.
class LeafFinder {
 public:
  LeafFinder(Tree const& tree, LeafCurve const& curve, int level)
      : tree_(tree), curve_(curve), shape_(tree.shape), level_(level) {
    shape_.centre = {};  // points are given relative to the centre
  }

  /// The new leaf of a point that was in leaf `own`, and its key; -1 if no leaf is suitable.
  template <class T>
  int leaf_of(T const relative[3], int own, MortonKey& key, std::size_t& strays) const {
    double const x[3] = {double(relative[0]), double(relative[1]), double(relative[2])};
    double const beyond = shape_.periodic ? 0 : distance_outside(shape_, tree_.levels[0][0], 0, x);
    if (beyond > stray_outside) return -1;
    key = point_key(shape_, relative, level_);
    int const found = curve_.holds(own, key) ? own : curve_.find(key), leaf = found < 0 ? own : found;
    if (found >= 0 && beyond == 0) return leaf;
    auto const level = std::size_t(curve_.level(leaf));
    double const outside =
        distance_outside(shape_, tree_.levels[level][std::size_t(curve_.number(leaf))], curve_.level(leaf), x);
    if (outside > stray_outside) return -1;
    if (outside > most_outside) ++strays;
    return leaf;
  }

 private:
  Tree const& tree_;
  LeafCurve const& curve_;
  TreeShape shape_;
  int level_;
};

/// Moves the points of one side of a set between leaves. Points that stay in their leaf only change their order in it.
template <class T>
class SideMove {
 public:
  SideMove(FmmPointSet<T> const& before, LeafCurve const& curve, Side side, PointsInRoot<T> const& moved, int level,
           Loop const& loop)
      : before_(before), tree_(before.tree()->tree()), curve_(curve), side_(side), moved_(moved), level_(level),
        loop_(loop), leaves_(std::size_t(curve.size())), parts_(parts_for(leaves_, 64)), departures_(parts_),
        stays_(leaves_, 0), arrivals_(leaves_ + 1, 0), points_(moved.size()) {}

  /// Points by leaf, ordered by key within each, and by the caller's order where keys are equal, as set_points does it.
  /// With connected ranks, those that this rank gives. None if some rank has a point without a suitable box, or there
  /// are too many strays. Collective.
  std::optional<LeafPoints> leaves(Ranks const& ranks) {
    std::uint64_t strays = 0, lost = 0;
    ranks.together([&] {
      in_parts(loop_, leaves_, parts_, [&](std::size_t part, std::size_t first, std::size_t last) {
        LeafFinder const finder(tree_, curve_, level_);
        for (std::size_t leaf = first; leaf < last && !departures_[part].lost; ++leaf)
          find(finder, leaf, departures_[part]);
      });
      for (Departures const& d : departures_) {
        strays += d.strays;
        lost += d.lost;
      }
    });
    auto const all = double(side_ == Side::sources ? before_.sources().size() : before_.targets().size());
    if (ranks.sum(lost) > 0 || double(ranks.sum(strays)) > share_of_strays * all) return {};
    LeafPoints result;
    ranks.together([&] { result = settled(); });
    return result;
  }
  /// Whether all keys are distinct. After leaves().
  bool distinct() const noexcept { return distinct_; }

 private:
  LeafPoints settled() {
    arrive();
    LeafPoints result{std::vector<std::uint32_t>(leaves_ + 1, 0), BulkVector<std::uint32_t>(moved_.size())};
    for (std::size_t leaf = 0; leaf < leaves_; ++leaf)
      result.begin[leaf + 1] = result.begin[leaf] + stays_[leaf] + arrivals_[leaf + 1] - arrivals_[leaf];
    std::vector<char> alike(parts_, 0);
    in_parts(loop_, leaves_, parts_, [&](std::size_t part, std::size_t first, std::size_t last) {
      std::vector<NumberedKey> items, spare;
      for (std::size_t leaf = first; leaf < last; ++leaf) alike[part] |= put_in_order(leaf, items, spare, result);
    });
    distinct_ = std::count(alike.begin(), alike.end(), 0) == std::ptrdiff_t(parts_);
    return result;
  }

  TreeBox const& box(std::size_t leaf) const {
    return tree_.levels[std::size_t(curve_.level(int(leaf)))][std::size_t(curve_.number(int(leaf)))];
  }
  std::uint32_t first_of(std::size_t leaf) const {
    if (before_.is_dealt()) return before_.own(side_).begin[leaf];
    return side_ == Side::sources ? box(leaf).source[0] : box(leaf).target[0];
  }
  /// The rows of a leaf's former points, followed by those of later leaves.
  struct LeafRows {
    std::span<std::uint32_t const> rows;
    std::size_t points;
  };
  LeafRows rows_of(std::size_t leaf) const {
    if (before_.is_dealt()) {
      LeafPoints const& own = before_.own(side_);
      return {std::span(own.order).subspan(own.begin[leaf]), own.begin[leaf + 1] - own.begin[leaf]};
    }
    bool const sources = side_ == Side::sources;
    LocalBox const local = before_.tree()->local_box(curve_.level(int(leaf)), curve_.number(int(leaf)));
    BlockedPoints<T> const& points = sources ? before_.sources() : before_.targets();
    std::span const all(points.rows(local.block), std::size_t(points.count(local.block)));
    return {all.subspan(std::size_t(sources ? local.first_source : local.first_target)),
            sources ? box(leaf).sources() : box(leaf).targets()};
  }

  void find(LeafFinder const& finder, std::size_t leaf, Departures& departures) {
    constexpr std::size_t ahead = 16;
    auto const [rows, points] = rows_of(leaf);
    NumberedKey* const stay = points_.data() + first_of(leaf);
    for (std::size_t i = 0; i < points; ++i) {
      moved_.fetch(rows[std::min(i + ahead, rows.size() - 1)]);
      T relative[3], near[3];
      moved_.place(rows[i], relative, near);
      NumberedKey point{0, rows[i]};
      int const to = finder.leaf_of(relative, int(leaf), point.key, departures.strays);
      if (to == int(leaf)) stay[stays_[leaf]++] = point;
      else if (to >= 0) departures.points.push_back({point, std::uint32_t(to)});
      else departures.lost = true;
    }
  }

  /// Groups departed points by the leaf where they arrive.
  void arrive() {
    std::size_t all = 0;
    for (Departures const& d : departures_) all += d.points.size();
    arrived_.resize(all);
    for (Departures const& d : departures_)
      for (Crossing const& c : d.points) ++arrivals_[c.leaf];
    std::uint32_t next = 0;
    for (std::uint32_t& a : arrivals_) a = next += a;  // ends; the loop below counts down to the beginnings
    for (Departures const& d : departures_)
      for (Crossing const& c : d.points) arrived_[--arrivals_[c.leaf]] = c.point;
  }

  /// Whether two of the leaf's keys are the same.
  bool put_in_order(std::size_t leaf, std::vector<NumberedKey>& items, std::vector<NumberedKey>& spare,
                    LeafPoints& result) const {
    auto const from = points_.begin() + first_of(leaf);
    items.assign(from, from + stays_[leaf]);
    items.insert(items.end(), arrived_.begin() + arrivals_[leaf], arrived_.begin() + arrivals_[leaf + 1]);
    spare.resize(std::max(spare.size(), items.size()));
    auto const sorted = sort_few(items, spare);
    bool alike = false;
    std::uint32_t* const order = result.order.data() + result.begin[leaf];
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      order[i] = sorted[i].number;
      alike = alike || (i > 0 && sorted[i].key == sorted[i - 1].key);
    }
    return alike;
  }

  FmmPointSet<T> const& before_;
  Tree const& tree_;
  LeafCurve const& curve_;
  Side side_;
  PointsInRoot<T> const& moved_;
  int level_;
  Loop const& loop_;
  std::size_t leaves_, parts_;
  std::vector<Departures> departures_;
  std::vector<std::uint32_t> stays_, arrivals_;  // number per leaf; beginning of each leaf
  BulkVector<NumberedKey> points_;               // those that stay, at their former places
  BulkVector<NumberedKey> arrived_;
  bool distinct_ = false;
};

}  // namespace

template <class T>
void FmmPlan<T>::expect_moved(Points const& before, std::span<T const> sources, std::span<T const> targets,
                              bool same) const {
  detail::expect_moved(before.get(), this, ranks_.rank(), sources.size(), targets.size(), same);
  root_of(options_, Ranks::one(), given(sources, before->source_parts()), given(targets, before->target_parts()),
          worker_loop(runtime_, (sources.size() + targets.size()) / 3));  // only for its errors
}

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::move_points(Points const& before, std::span<T const> sources,
                                                    std::span<T const> targets, bool same) {
  ranks_.together([&] { expect_moved(before, sources, targets, same); });
  std::pair<Parts, Parts> const parts{before->source_parts(), same ? Parts() : before->target_parts()};
  Points const points = move_in_tree(before->finest(), sources, targets, parts);
  if (points) return points;
  FmmRoot root = root_for(sources, targets, parts);
  if (options_.periodicity != Periodicity::xyz) root.half *= 1 + room_for_steps;
  return block_points(root, sources, targets, parts, same);
}

/// None if points would need another tree.
template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::move_in_tree(Points const& before, std::span<T const> sources,
                                                     std::span<T const> targets, std::pair<Parts, Parts> const& parts) {
  std::shared_ptr<FmmTree const> const planned = before->tree()->planned() ? before->tree()->planned() : before->tree();
  Tree const& tree = before->tree()->tree();
  bool const same = before->same();
  Loop const loop = worker_loop(runtime_, (sources.size() + targets.size()) / 3);
  FmmRoot const root{tree.shape.centre, tree.shape.half, tree.shape.aspect, before->unit()};
  PointsInRoot<T> const from(options_, root, given(sources, parts.first), "source"),
      to(options_, root, given(targets, parts.second), "target");
  FmmInput<T> input{from, same ? from : to, same, false, parts};
  std::optional<LeafCurve> curve;
  std::optional<SideMove<T>> of_sources, of_targets;
  ranks_.together([&] {
    curve.emplace(tree, key_level());
    of_sources.emplace(*before, *curve, Side::sources, from, key_level(), loop);
    if (!same) of_targets.emplace(*before, *curve, Side::targets, to, key_level(), loop);
  });
  auto moved_sources = of_sources->leaves(ranks_);
  if (!moved_sources) return nullptr;
  auto moved_targets = same ? LeafPoints() : of_targets->leaves(ranks_);
  if (!moved_targets) return nullptr;
  input.distinct = !before->is_dealt() && of_sources->distinct();
  if (before->is_dealt()) {
    input.own_sources = std::exchange(*moved_sources, leaves_of_all(ranks_, *moved_sources));
    if (!same) input.own_targets = std::exchange(*moved_targets, leaves_of_all(ranks_, *moved_targets));
  }
  std::shared_ptr<FmmTree> blocked;
  FmmParameters p = before->parameters();
  ranks_.together([&] {
    Tree moved = with_points(tree, *curve, std::move(*moved_sources), std::move(*moved_targets), same);
    if (!serves(planned->tree(), *curve, moved) || !planned->fills_blocks(moved)) return;
    blocked = std::make_shared<FmmTree>(planned, std::move(moved), loop);
  });
  if (!blocked) return nullptr;
  p.pairs = std::size_t(ranks_.sum(std::uint64_t(blocked->work(&BlockLists::p2p))));
  return put_into(blocked, before->shared_setup(), before->workspaces(), p, std::move(input), loop);
}

#define NEARFAR_INSTANTIATE(T)                                                                                         \
  template void FmmPlan<T>::expect_moved(Points const&, std::span<T const>, std::span<T const>, bool) const;           \
  template typename FmmPlan<T>::Points FmmPlan<T>::move_points(Points const&, std::span<T const>, std::span<T const>,  \
                                                               bool);                                                  \
  template typename FmmPlan<T>::Points FmmPlan<T>::move_in_tree(Points const&, std::span<T const>, std::span<T const>, \
                                                                std::pair<Parts, Parts> const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
