// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/moved_tree.hpp"
#include "tasks/fmm/plan.hpp"
#include "tasks/fmm/prediction.hpp"
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

/// A point that is in another leaf than before, or in none.
struct Crossing {
  NumberedKey point;
  std::uint32_t leaf;
};
struct Homeless {
  NumberedKey point;
  std::uint32_t own, before;  ///< its former leaf; the last one before it along the curve
};

/// The points that a part of the leaves loses.
struct Departures {
  std::vector<Crossing> crossing;
  std::vector<Homeless> homeless;
  std::size_t strays = 0;  ///< somewhat far from their leaves
  std::size_t beyond = 0;  ///< of these, outside the root
  bool far = false;        ///< some point is too far from its former leaf to be a stray
  bool lost = false;       ///< some point is too far outside the root
};

/// What moved points need.
enum class Needed { leaves, new_boxes, new_root };

/// Moves the points of one side of a set between leaves. Points that stay in their leaf only change their order in it.
template <class T>
class SideMove {
 public:
  SideMove(FmmPointSet<T> const& before, LeafCurve const& curve, Side side, PointsInRoot<T> const& moved, int level,
           Loop const& loop)
      : before_(before), tree_(before.tree()->tree()), curve_(curve), side_(side), moved_(moved), level_(level),
        loop_(loop), leaves_(std::size_t(curve.size())), parts_(parts_for(leaves_, 64)), departures_(parts_),
        stays_(leaves_, 0), points_(moved.size()) {}

  /// Finds the leaves of all points; with connected ranks, of those that this rank gives, and what all need.
  /// Collective.
  Needed look(Ranks const& ranks) {
    std::uint64_t strays = 0, beyond = 0, far = 0, lost = 0;
    ranks.together([&] {
      in_parts(loop_, leaves_, parts_, [&](std::size_t part, std::size_t first, std::size_t last) {
        LeafFinder const finder(tree_, curve_, level_);
        for (std::size_t leaf = first; leaf < last && !departures_[part].lost; ++leaf)
          find(finder, leaf, departures_[part]);
      });
      for (Departures const& d : departures_) {
        strays += d.strays;
        beyond += d.beyond;
        far += d.far;
        lost += d.lost;
      }
    });
    double const most =
        share_of_strays * double(side_ == Side::sources ? before_.sources().size() : before_.targets().size());
    bool const many_beyond = double(ranks.sum(beyond)) > most, many_strays = double(ranks.sum(strays)) > most;
    if (ranks.sum(lost) > 0 || many_beyond) return Needed::new_root;
    return ranks.sum(far) > 0 || many_strays ? Needed::new_boxes : Needed::leaves;
  }
  /// Points by leaf, ordered by key within each, and by the caller's order where keys are equal, as set_points does it.
  /// Strays are in their former leaves.
  LeafPoints in_leaves() {
    LeafPoints result{std::vector<std::uint32_t>(leaves_ + 1, 0), BulkVector<std::uint32_t>(moved_.size())};
    settle(result, nullptr);
    return result;
  }
  /// All points along the curve, whether there are leaves for them or not.
  SortedKeys in_order() {
    LeafPoints result{std::vector<std::uint32_t>(leaves_ + 1, 0), BulkVector<std::uint32_t>(moved_.size())};
    BulkVector<MortonKey> keys(moved_.size());
    settle(result, keys.data());
    return {std::move(keys), std::move(result.order), level_};
  }
  /// Whether all keys are distinct. After in_leaves() or in_order().
  bool distinct() const noexcept { return distinct_; }

 private:
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
      T relative[3] = {}, near[3] = {};
      moved_.place(rows[i], relative, near);
      auto const place = finder.place_of(relative, int(leaf));
      if (!place || (!place->in_root && place->outside > stray_outside)) {
        departures.lost = true;
        return;
      }
      NumberedKey const point{place->key, rows[i]};
      if (place->has_leaf && place->leaf == int(leaf) && place->outside == 0) {
        stay[stays_[leaf]++] = point;
        continue;
      }
      departures.strays += place->outside > most_outside;
      departures.beyond += place->outside > most_outside && !place->in_root;
      departures.far = departures.far || place->outside > stray_outside;
      if (!place->has_leaf) departures.homeless.push_back({point, std::uint32_t(leaf), std::uint32_t(place->leaf)});
      else if (place->leaf == int(leaf)) stay[stays_[leaf]++] = point;
      else departures.crossing.push_back({point, std::uint32_t(place->leaf)});
    }
  }

  /// Fills in the points of each leaf; with `keys`, those without a leaf after those of the leaf before them, and their
  /// keys; else in their former leaves.
  void settle(LeafPoints& result, MortonKey* keys) {
    arrive(keys != nullptr);
    for (std::size_t leaf = 0; leaf < leaves_; ++leaf)
      result.begin[leaf + 1] = result.begin[leaf] + stays_[leaf] + arrivals_[leaf + 1] - arrivals_[leaf];
    std::vector<char> alike(parts_, 0);
    in_parts(loop_, leaves_, parts_, [&](std::size_t part, std::size_t first, std::size_t last) {
      std::vector<NumberedKey> items, spare;
      for (std::size_t leaf = first; leaf < last; ++leaf) alike[part] |= put_in_order(leaf, items, spare, result, keys);
    });
    distinct_ = std::count(alike.begin(), alike.end(), 0) == std::ptrdiff_t(parts_);
  }

  /// Groups points that are not in their former leaf by the leaf where they go.
  void arrive(bool to_leaf_before) {
    auto const visit = [&](auto const& take) {
      for (Departures const& d : departures_) {
        for (Crossing const& c : d.crossing) take(c.leaf, c.point);
        for (Homeless const& h : d.homeless) take(to_leaf_before ? h.before : h.own, h.point);
      }
    };
    arrivals_.assign(leaves_ + 1, 0);
    visit([&](std::uint32_t leaf, NumberedKey const&) { ++arrivals_[leaf]; });
    std::uint32_t next = 0;
    for (std::uint32_t& a : arrivals_) a = next += a;  // ends; what follows counts down to the beginnings
    arrived_.resize(next);
    visit([&](std::uint32_t leaf, NumberedKey const& point) { arrived_[--arrivals_[leaf]] = point; });
  }

  /// Whether two of the leaf's keys are the same.
  bool put_in_order(std::size_t leaf, std::vector<NumberedKey>& items, std::vector<NumberedKey>& spare,
                    LeafPoints& result, MortonKey* keys) const {
    auto const from = points_.begin() + first_of(leaf);
    items.assign(from, from + stays_[leaf]);
    items.insert(items.end(), arrived_.begin() + arrivals_[leaf], arrived_.begin() + arrivals_[leaf + 1]);
    spare.resize(std::max(spare.size(), items.size()));
    auto const sorted = sort_few(items, spare);
    bool alike = false;
    std::uint32_t const begin = result.begin[leaf];
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      result.order[begin + i] = sorted[i].number;
      if (keys != nullptr) keys[begin + i] = sorted[i].key;
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

/// The tree with other points, if its lists serve these; else null.
std::shared_ptr<FmmTree> with_other_points(std::shared_ptr<FmmTree const> const& planned, Tree const& tree,
                                           LeafCurve const& curve, LeafPoints sources, LeafPoints targets,
                                           Targets which, Loop const& loop) {
  Tree moved = with_points(tree, curve, std::move(sources), std::move(targets), which);
  if (!serves(planned->tree(), curve, moved) || !planned->fills_blocks(moved)) return nullptr;
  return std::make_shared<FmmTree>(planned, std::move(moved), loop);
}

/// The strengths of points that move are examined once, as those of points that stay: in a GPU's memory. What a review
/// has found of points stays true where they move little.
template <class Points>
Points examined_like(Points const& before, Points moved) {
  if (before->finest()->strengths_judged()) moved->set_strengths_judged();
  moved->set_moved_from(*before->finest());
  return moved;
}

}  // namespace

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::move_given(Points const& before, OnHost<T> const& sources,
                                                   OnHost<T> const& targets, Targets which) {
  if (before->offset() == std::array<double, 3>() && before->finest()->tree()->is_made_on_gpu()) {
    Points const moved = move_on_gpu(before->finest(), sources.arrays(), of_others(targets, which));
    find_routes(moved, sources, targets);
    return examined_like(before, moved);
  }
  // What moves points that were given as views must have the same offset.
  if (!ranks_.connected() && before->offset() == std::array<double, 3>() && !needs_views(region(), sources) &&
      !needs_views(region(), targets))
    return examined_like(before, move_rows(before, sources, targets, which));
  auto const [from, to] = views_of(ranks_, sources, targets);
  return move_views(before, from, which == Targets::sources ? nullptr : &to);
}

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::move_rows(Points const& before, std::span<T const> sources,
                                                  std::span<T const> targets, Targets which) {
  if (before->finest()->tree()->is_made_on_gpu())
    return move_on_gpu(before->finest(), sources,
                       which == Targets::sources ? std::optional<GivenArrays<T const>>() : targets);
  ranks_.together([&] {
    root_of(options_, Ranks::one(), given(sources, before->source_parts()), given(targets, before->target_parts()),
            worker_loop(runtime_, (sources.size() + targets.size()) / 3));  // only for its errors
  });
  GivenParts const parts = before->parts();
  Points const points = move_in_tree(before->finest(), sources, targets, parts);
  if (points) return points;
  FmmRoot root = root_for(sources, targets, parts);
  if (options_.periodicity != Periodicity::xyz) root.half *= 1 + room_for_steps;
  return block_points(root, sources, targets, parts, which);
}

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::move_views(Points const& before, RowsIn const& sources, RowsIn const* targets) {
  return this->of_views(sources, targets, before->offset(), [&](auto const& from, auto const& to, Targets which) {
    return examined_like(before, move_rows(before, from, to, which));
  });
}

/// None if points would need another root, or mostly other boxes.
template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::move_in_tree(Points const& before, std::span<T const> sources,
                                                     std::span<T const> targets, GivenParts const& parts) {
  std::shared_ptr<FmmTree const> const planned = before->tree()->planned() ? before->tree()->planned() : before->tree();
  Tree const& tree = before->tree()->tree();
  Targets const which = before->which();
  bool const dealt = before->is_dealt();
  Loop const loop = worker_loop(runtime_, (sources.size() + targets.size()) / 3);
  FmmRoot const root{tree.shape.centre, tree.shape.half, tree.shape.aspect, before->unit()};
  PointsInRoot<T> const from(options_, root, given(sources, parts.sources), "source"),
      to(options_, root, given(targets, parts.targets), "target");
  FmmInput<T> input{from, which == Targets::sources ? from : to, which, false, parts};
  std::optional<LeafCurve> curve;
  std::optional<SideMove<T>> of_sources, of_targets;
  ranks_.together([&] {
    curve.emplace(tree, key_level());
    of_sources.emplace(*before, *curve, Side::sources, from, key_level(), loop);
    if (which == Targets::own) of_targets.emplace(*before, *curve, Side::targets, to, key_level(), loop);
  });
  Needed needed = of_sources->look(ranks_);
  if (which == Targets::own && needed != Needed::new_root) needed = std::max(needed, of_targets->look(ranks_));
  if (needed == Needed::new_root || (needed == Needed::new_boxes && dealt)) return nullptr;
  std::shared_ptr<FmmTree> moved;
  if (needed == Needed::leaves) {
    LeafPoints in_leaves, targets_in_leaves;
    ranks_.together([&] {
      in_leaves = of_sources->in_leaves();
      if (which == Targets::own) targets_in_leaves = of_targets->in_leaves();
    });
    if (dealt) {
      input.own_sources = std::exchange(in_leaves, leaves_of_all(ranks_, in_leaves));
      if (which == Targets::own)
        input.own_targets = std::exchange(targets_in_leaves, leaves_of_all(ranks_, targets_in_leaves));
    }
    ranks_.together([&] {
      moved = with_other_points(planned, tree, *curve, std::move(in_leaves), std::move(targets_in_leaves), which, loop);
    });
  }
  auto workspaces = before->workspaces();
  FmmPlanning p = before->parameters();
  if (moved) {
    p.pairs = std::size_t(ranks_.sum(std::uint64_t(moved->work(&BlockLists::p2p))));
  } else if (!dealt) {
    moved =
        FmmTree::in_part_new(*planned,
                             make_tree(tree.shape, of_sources->in_order(),
                                       which == Targets::sources ? SortedKeys() : of_targets->in_order(), which, loop),
                             loop);
    if (!moved) return nullptr;
    workspaces = std::make_shared<FmmWorkspaces<T>>();
    count_work(*moved, p);
    softening_error_of(*moved, input.sources.root(), p.well_separation);
  } else {
    return nullptr;
  }
  input.distinct = !dealt && of_sources->distinct();
  return points_in(moved, before->shared_setup(), workspaces, p, std::move(input), loop);
}

#define NEARFAR_INSTANTIATE(T)                                                                                         \
  template typename FmmPlan<T>::Points FmmPlan<T>::move_given(Points const&, OnHost<T> const&, OnHost<T> const&,       \
                                                              Targets);                                                \
  template typename FmmPlan<T>::Points FmmPlan<T>::move_views(Points const&, RowsIn const&, RowsIn const*);            \
  template typename FmmPlan<T>::Points FmmPlan<T>::move_in_tree(Points const&, std::span<T const>, std::span<T const>, \
                                                                GivenParts const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
