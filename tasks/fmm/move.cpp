// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/moved_tree.hpp"
#include "tasks/fmm/plan.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace nearfar::detail {

namespace {

/// How far outside its box a point may be, in sides of the box, where there is no other box for it. At worst, beyond
/// the corners of two boxes on a diagonal, an order of its expansion leaves 0.61 of the error instead of 0.58.
constexpr double most_outside = 0.02;
/// A few points may be farther outside, so that one that comes where there were none before does not cost a tree. Their
/// orders leave 0.69 of the error at worst: 12 times the error at order 14, and 1 % more in the norm over all points.
constexpr double stray_outside = 0.25, share_of_strays = 1e-4;
/// Around points that have left the root of a tree, by their extent, so that not every step asks for another one.
constexpr double room_for_steps = 0.05;

struct Point {
  MortonKey key;
  std::uint32_t row, leaf;
};

/// Finds boxes for points that have moved.
class LeafFinder {
 public:
  /// `points`: how many there are.
  LeafFinder(Tree const& tree, LeafCurve const& curve, int level, std::size_t points)
      : tree_(tree), curve_(curve), shape_(tree.shape), level_(level), strays_(share_of_strays * double(points)) {
    shape_.centre = {};  // points are relative to it
  }

  /// The leaf of a point that was in leaf `own`, and its key; -1 if none will do.
  template <class T>
  int leaf_of(T const relative[3], int own, MortonKey& key) {
    double const x[3] = {double(relative[0]), double(relative[1]), double(relative[2])};
    double const beyond = shape_.periodic ? 0 : distance_outside(shape_, tree_.levels[0][0], 0, x);
    if (beyond > stray_outside) return -1;
    key = point_key(shape_, relative, level_);
    int const found = curve_.holds(own, key) ? own : curve_.find(key), leaf = found < 0 ? own : found;
    if (found >= 0 && beyond == 0) return leaf;
    auto const level = std::size_t(curve_.level(leaf));
    double const outside =
        distance_outside(shape_, tree_.levels[level][std::size_t(curve_.number(leaf))], curve_.level(leaf), x);
    if (outside > stray_outside || (outside > most_outside && --strays_ < 0)) return -1;
    return leaf;
  }

 private:
  Tree const& tree_;
  LeafCurve const& curve_;
  TreeShape shape_;
  int level_;
  double strays_;  ///< that there may still be
};

/// Points by leaf, in each in the order of their keys, and in that of the caller where these are the same: as
/// set_points has them. None if there is one for which no box will do.
template <class T>
std::optional<LeafPoints> in_leaves(LeafCurve const& curve, Tree const& before, Side side, PointsInRoot<T> const& moved,
                                    int level) {
  constexpr std::size_t ahead = 16;
  bool const sources = side == Side::sources;
  auto const& order = sources ? before.source_order : before.target_order;
  LeafFinder finder(before, curve, level, order.size());
  std::vector<Point> points;
  points.reserve(order.size());
  LeafPoints result{std::vector<std::uint32_t>(std::size_t(curve.size()) + 1, 0),
                    std::vector<std::uint32_t>(order.size())};
  for (int own = 0; own < curve.size(); ++own) {
    TreeBox const& box = before.levels[std::size_t(curve.level(own))][std::size_t(curve.number(own))];
    auto const* range = sources ? box.source : box.target;
    for (std::uint32_t p = range[0]; p < range[1]; ++p) {
      moved.fetch(order[std::min<std::size_t>(p + ahead, order.size() - 1)]);
      T relative[3], near[3];
      moved.place(order[p], relative, near);
      MortonKey key = 0;
      int const leaf = finder.leaf_of(relative, own, key);
      if (leaf < 0) return {};
      points.push_back({key, order[p], std::uint32_t(leaf)});
      ++result.begin[std::size_t(leaf) + 1];
    }
  }
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  std::vector<Point> by_leaf(points.size());
  auto next = result.begin;
  for (Point const& p : points) by_leaf[next[p.leaf]++] = p;
  for (std::size_t leaf = 0; leaf + 1 < result.begin.size(); ++leaf)
    std::sort(by_leaf.begin() + result.begin[leaf], by_leaf.begin() + result.begin[leaf + 1],
              [](Point const& a, Point const& b) { return a.key != b.key ? a.key < b.key : a.row < b.row; });
  std::transform(by_leaf.begin(), by_leaf.end(), result.order.begin(), [](Point const& p) { return p.row; });
  return result;
}

}  // namespace

template <class T>
void FmmPlan<T>::expect_moved(Points const& before, std::span<T const> sources, std::span<T const> targets,
                              bool same) const {
  detail::expect_moved(before.get(), this, ranks_.rank(), sources.size(), targets.size(), same);
  root_of(options_, sources, targets);  // for what it refuses
}

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::move_points(Points const& before, std::span<T const> sources,
                                                    std::span<T const> targets, bool same) {
  ranks_.together([&] { expect_moved(before, sources, targets, same); });
  std::vector<T> copies[2];
  Points points;
  ranks_.together([&] {
    sources = ranks_.join(sources, before->source_parts(), 3, copies[0]);
    if (!same) targets = ranks_.join(targets, before->target_parts(), 3, copies[1]);
    points = move_in_tree(before->finest(), sources, targets);
    if (!points) points = block_points(sources, targets, same, room_for_steps);
    points->set_parts(before->source_parts(), same ? Parts() : before->target_parts());
  });
  return points;
}

/// None where the tree has no room for them.
template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::move_in_tree(Points const& before, std::span<T const> sources,
                                                     std::span<T const> targets) {
  std::shared_ptr<FmmTree const> const planned = before->tree()->planned() ? before->tree()->planned() : before->tree();
  Tree const& tree = before->tree()->tree();
  bool const same = before->same();
  FmmRoot const root{tree.shape.centre, tree.shape.half, tree.shape.aspect, before->unit()};
  PointsInRoot<T> const from(options_, root, sources, "source"), to(options_, root, targets, "target");
  LeafCurve const curve(tree, key_level());
  auto const moved_sources = in_leaves(curve, tree, Side::sources, from, key_level());
  if (!moved_sources) return nullptr;
  auto const moved_targets = same ? LeafPoints() : in_leaves(curve, tree, Side::targets, to, key_level());
  if (!moved_targets) return nullptr;
  Tree moved = with_points(tree, curve, *moved_sources, *moved_targets, same);
  if (!serves(planned->tree(), curve, moved) || !planned->fills_blocks(moved)) return nullptr;
  auto const blocked = std::make_shared<FmmTree>(planned, std::move(moved));
  FmmParameters p = before->parameters();
  p.pairs = std::size_t(blocked->work(&BlockLists::p2p));
  auto const points = std::make_shared<FmmPointSet<T>>(runtime_, this, before->shared_setup(), blocked,
                                                       before->workspaces(), p, from, to, same);
  add_sample(*points, same ? from : to);
  return points;
}

#define NEARFAR_INSTANTIATE(T)                                                                                        \
  template void FmmPlan<T>::expect_moved(Points const&, std::span<T const>, std::span<T const>, bool) const;          \
  template typename FmmPlan<T>::Points FmmPlan<T>::move_points(Points const&, std::span<T const>, std::span<T const>, \
                                                               bool);                                                 \
  template typename FmmPlan<T>::Points FmmPlan<T>::move_in_tree(Points const&, std::span<T const>, std::span<T const>);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
