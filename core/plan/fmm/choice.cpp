// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/fmm/choice.hpp"

#include "core/kernels/pairs/near_precision.hpp"
#include "core/plan/fmm/tree_costs.hpp"
#include "core/plan/fmm/tree_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace nearfar {

namespace {

using Cost = std::function<double(TreeWork const&)>;

FmmChoice with_tree(FmmChoice start, TreeCandidate const& tree, TreeCosts const& costs) {
  start.depth = tree.depth;
  start.capacity = tree.capacity;
  start.stretch = tree.stretch;
  start.seconds = costs.seconds(tree.work);
  start.gpu_seconds = costs.gpu_seconds(tree.work);
  start.on_gpu = costs.on_gpu;
  start.near_in_single = costs.near_in_single;
  start.cost = costs.cost(tree.work);
  start.boxes = tree.work.boxes;
  start.crowd = tree.work.crowd;
  return start;
}

/// The precisions that pairs may have: in single?
template <class T>
std::vector<bool> near_precisions(FmmOptions const& o, double points) {
  if (std::is_same_v<T, float> || o.near_precision == NearPrecision::double_) return {false};
  if (o.near_precision == NearPrecision::single) return {true};
  if (o.order || o.tolerance < finest_for_single_near || points < fewest_for_single_near) return {false};
  return {false, true};
}

/// For each separation and precision of pairs, `visit(costs, choice)` with the order that reaches the tolerance.
template <class T, class Visit>
FmmChoice for_separations(FmmOptions const& o, double points, double targets, Machine const& all, Visit visit) {
  Machine const machine = all.for_points(points);
  FmmChoice best;
  best.cost = std::numeric_limits<double>::infinity();
  auto const consider = [&](int separation, bool near_in_single) {
    int order = o.order ? *o.order : order_for<T>(o, separation, near_in_single);
    if (order == 0 && !o.well_separation) return;
    if (order == 0) order = highest_fmm_order<T>();
    bool const periodic = o.periodicity == Periodicity::xyz;
    TreeCosts const costs{o,
                          order,
                          points,
                          {separation, periodic, periodic ? near_boxes(separation) : 1},
                          machine,
                          fmm_seconds(o.kernel, o.outputs, order, machine, WorkerKind::cpu, near_in_single),
                          fmm_seconds(o.kernel, o.outputs, order, machine, WorkerKind::gpu, near_in_single),
                          machine.all_on_gpus(targets),
                          near_in_single};
    FmmChoice const found = visit(costs, FmmChoice{.order = order, .separation = separation});
    if (found.cost < best.cost) best = found;
  };
  for (int separation : {1, 2})
    if (o.well_separation.value_or(separation) == separation && converges(o, separation))
      for (bool near_in_single : near_precisions<T>(o, points)) consider(separation, near_in_single);
  double const more = sparse_leaves(best.crowd) * few_targets(o, targets),
               rounding = best.near_in_single ? single_near_error : 0;
  if (FmmOptions finer = o; !o.order && more > 1) {
    finer.tolerance = std::sqrt(o.tolerance * o.tolerance - rounding * rounding) / more;
    int const order = order_for<T>(finer, best.separation);
    best.order = order > 0 ? order : highest_fmm_order<T>();
  }
  best.gpus = machine.gpus;
  best.error = std::hypot(more * fmm_error(o, best.order, best.separation), rounding);
  return best;
}

/// Roots enlarged such that the points fill 7, 6 or 5 eighths of their volume: leaves can then hold what costs least,
/// whatever the number of points. A periodic root is the cell itself, and a depth set by hand keeps the least root.
std::vector<double> stretches(FmmOptions const& o) {
  if (o.periodicity == Periodicity::xyz || o.depth) return {1};
  return {1, 8.0 / 7, 8.0 / 6, 8.0 / 5};
}

/// All uniform trees that the options allow, by separation: they are the same for other precisions and orders.
class UniformTrees {
 public:
  UniformTrees(FmmOptions const& options, Occupancy const& found, double points)
      : options_(options), found_(found), points_(points) {}

  std::vector<TreeCandidate> const& of(TreeSight const& sight) {
    auto const [place, is_new] = known_.try_emplace(sight.separation);
    std::vector<TreeCandidate>& trees = place->second;
    if (!is_new) return trees;
    for (double stretch : stretches(options_)) {
      auto const all = uniform_trees(found_, stretch, points_, sight);
      trees.insert(trees.end(), all.begin() + options_.depth.value_or(0), all.end());
    }
    return trees;
  }

 private:
  FmmOptions const& options_;
  Occupancy const& found_;
  double points_;
  std::map<int, std::vector<TreeCandidate>> known_;
};

TreeCandidate const& cheaper(TreeCandidate const& a, TreeCandidate const& b, Cost const& cost) {
  return cost(b.work) < cost(a.work) ? b : a;
}

/// Capacities go by powers of sqrt(2): for other precisions and separations the same trees are compared, which whoever
/// makes them makes once.
int capacity_near(double wanted) { return std::max(1, int(std::exp2(std::round(2 * std::log2(wanted)) / 2))); }

/// Likely capacities, as multiples of the balanced one: the middle one, and those on the way down and up.
constexpr double middle_capacity = 2;
constexpr std::array smaller_capacities{1.4, 1.0}, larger_capacities{2.8, 4.0};

/// Starts from the middle and goes up and down as long as costs fall; not at all where these are far above the cost
/// already known.
TreeCandidate cheapest_capacity(std::function<TreeCandidate(double)> const& tree, Cost const& cost, double known) {
  TreeCandidate const middle = tree(middle_capacity);
  TreeCandidate best = middle;
  if (cost(middle.work) > 1.2 * known) return best;
  for (auto const& way : {smaller_capacities, larger_capacities})
    for (TreeCandidate before = middle; double factor : way) {
      TreeCandidate const next = tree(factor);
      best = cheaper(best, next, cost);
      if (cost(next.work) > cost(before.work)) break;
      before = next;
    }
  return best;
}

/// What cheapest_capacity is likely to ask for.
template <class T>
std::vector<ExpectedTree> expected_trees(FmmOptions const& o, double points, double targets, Machine const& machine) {
  std::vector<ExpectedTree> trees;
  for_separations<T>(o, points, targets, machine, [&](TreeCosts const& costs, FmmChoice const& start) {
    auto const add = [&](double factor) {
      int const capacity = capacity_near(factor * costs.balanced());
      auto const same = [&](ExpectedTree const& tree) {
        return tree.capacity == capacity && tree.sight.separation == costs.sight.separation;
      };
      if (std::ranges::none_of(trees, same)) trees.push_back({capacity, costs.sight, costs.few()});
    };
    bool const first = trees.empty();  // others may be too dear to be compared with their neighbours
    add(middle_capacity);
    if (first) add(smaller_capacities.front());
    if (first) add(larger_capacities.front());
    return start;
  });
  return trees;
}

/// A tree that was counted for one precision of pairs is not counted again for another, whose `few` hardly changes it.
PointTrees each_counted_once(PointTrees trees) {
  using Key = std::tuple<int, int, int>;
  auto const known = std::make_shared<std::map<Key, TreeWork>>();
  trees.work = [known, count = trees.work](int depth, int capacity, TreeSight const& sight, std::uint32_t few) {
    Key const key{depth, capacity, sight.separation};
    auto const found = known->find(key);
    return found != known->end() ? found->second
                                 : known->emplace(key, count(depth, capacity, sight, few)).first->second;
  };
  return trees;
}

}  // namespace

template <class T>
FmmChoice choose_fmm(FmmOptions const& options, PointTrees const& given, int level, double targets,
                     Machine const& machine) {
  int const last = std::min(deepest_uniform(options), level);
  PointTrees const trees = each_counted_once(given);
  Occupancy const found = trees.occupancy(last);
  double least = std::numeric_limits<double>::infinity();
  double const points = trees.points;
  UniformTrees all_uniform(options, found, points);
  bool told = false;  ///< which trees are expected
  return for_separations<T>(options, points, targets, machine, [&](TreeCosts const& costs, FmmChoice const& start) {
    TreeSearch search(trees, level, found, costs.sight, costs.few());
    auto const cost = [&](TreeWork const& work) { return costs.cost(work); };
    auto const adaptive = [&] {
      if (trees.expect && !std::exchange(told, true))
        trees.expect(level, expected_trees<T>(options, points, targets, machine));
      auto const tree = [&](double factor) { return search.adaptive(capacity_near(factor * costs.balanced())); };
      return cheapest_capacity(tree, cost, least);
    };
    auto const may_be_adaptive = [&](TreeCandidate const& uniform) {
      return !options.depth && !options.capacity && search.is_uneven(uniform);
    };
    TreeCandidate best;
    if (options.capacity.value_or(0) > 0) {
      best = search.adaptive(*options.capacity);
    } else {
      auto const& uniform = all_uniform.of(costs.sight);
      // What an adaptive tree costs spares counting uniform ones that look dearer. On surfaces they do though they may
      // be cheaper: there, a guess is up to a third too high.
      constexpr double guessed_high = 1.5;
      std::optional<TreeCandidate> other;
      if (may_be_adaptive(search.cheapest(uniform, cost, 0))) {
        other = adaptive();
        least = std::min(least, cost(other->work));
      }
      best = search.cheapest(uniform, cost, other ? guessed_high * least : least);
      if (!other && may_be_adaptive(best)) other = adaptive();
      if (other) best = cheaper(best, *other, cost);
    }
    least = std::min(least, cost(best.work));
    return with_tree(start, best, costs);
  });
}

template <class T>
FmmChoice choose_fmm_for_uniform(FmmOptions const& options, double count, Machine const& machine) {
  Occupancy found;
  int const last = deepest_uniform(options);
  for (int depth = 0; depth <= last; ++depth) {
    double const all = std::pow(8.0, depth);
    found.boxes.push_back(all * -std::expm1(-count / all));
    found.pairs.push_back(count + count * (count - 1) / all);
    double const filled = found.boxes.back() / all;
    found.siblings.push_back(depth == 0 ? 1 : 1 + 7 * filled);
  }
  UniformTrees uniform(options, found, count);
  return for_separations<T>(options, count, count, machine, [&](TreeCosts const& costs, FmmChoice const& start) {
    auto const& trees = uniform.of(costs.sight);
    auto const cost = [&](TreeCandidate const& tree) { return costs.cost(tree.work); };
    return with_tree(start, *std::ranges::min_element(trees, {}, cost), costs);
  });
}

#define NEARFAR_INSTANTIATE(T)                                                                         \
  template FmmChoice choose_fmm<T>(FmmOptions const&, PointTrees const&, int, double, Machine const&); \
  template FmmChoice choose_fmm_for_uniform<T>(FmmOptions const&, double, Machine const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
