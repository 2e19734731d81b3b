// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/fmm/choice.hpp"

#include "core/kernels/pairs/near_precision.hpp"
#include "core/plan/fmm/communication.hpp"
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
#include <vector>

namespace nearfar {

namespace {

using Cost = std::function<double(TreeWork const&)>;

/// One expansion order and separation on this machine: the times of its work units, and what a tree costs with them.
struct Model {
  FmmOptions const& options;
  int order;
  double count;  ///< of points
  TreeSight sight;
  Machine const& machine;
  FmmSeconds cpu, gpu;
  bool on_gpu;  ///< all stages
  bool near_in_single;

  std::uint32_t few() const { return few_points(cpu, gpu, machine, on_gpu); }
  double evaluations(TreeWork const& w) const { return w.to_points * cpu.m2p + w.to_locals * cpu.p2l; }
  double seconds(TreeWork const& w) const {
    return w.pairs * cpu.pair + w.interactions * cpu.interaction + w.shifts * 2 * cpu.shift + evaluations(w) +
           w.points * (cpu.source + cpu.target);
  }
  double gpu_seconds(TreeWork const& w) const {
    return machine.gpus > 0 ? w.pairs * gpu.pair + w.interactions * gpu.interaction : 0;
  }
  /// Seconds by which messages lengthen the far part; P2P can hide them.
  double communication(TreeWork const& w) const {
    return fmm_communication_seconds(
        guess_fmm_communication(options.kernel, order, sight.separation, w.boxes, count, machine), machine);
  }
  /// All stages one after the other, divided among all GPUs.
  double seconds_on_gpus(TreeWork const& w, double blocks) const {
    constexpr double stages_of_block = 7;
    double const pairs = w.pairs * gpu.pair / machine.gpus;
    double const all = w.interactions * gpu.interaction + w.shifts * 2 * gpu.shift + w.to_points * gpu.m2p +
                       w.to_locals * gpu.p2l + w.points * (gpu.source + gpu.target) +
                       stages_of_block * blocks * gpu_short_task;
    return gpu_start + all / machine.gpus + std::max(pairs, communication(w));
  }
  double cost(TreeWork const& w) const {
    if (machine.gpus <= 0) {
      double const filler = w.pairs * cpu.pair + w.to_points * cpu.m2p;
      return std::max(seconds(w), seconds(w) - filler + machine.cpus * communication(w));
    }
    double const blocks = gpu_blocks(machine, seconds(w), gpu_seconds(w), on_gpu);
    if (on_gpu) return seconds_on_gpus(w, blocks);
    SharedWork const pairs{w.pairs * cpu.pair, w.pairs * gpu.pair + blocks * gpu_task, w.pairs * cpu.pair / blocks},
        interactions{w.interactions * cpu.interaction, w.interactions * gpu.interaction + blocks * gpu_task,
                     w.interactions * cpu.interaction / blocks},
        shifts{w.shifts * 2 * cpu.shift, w.shifts * 2 * gpu.shift},
        sources{w.points * (cpu.source - cpu.particle), w.points * gpu.source + blocks * gpu_short_task},
        targets{w.points * (cpu.target - cpu.particle), w.points * gpu.target + blocks * gpu_short_task},
        others{evaluations(w)}, ends{w.points * cpu.particle};
    auto const span = [&](SharedWork const& work) { return span_seconds(work, blocks, machine.cpus, machine.gpus); };
    double const up = gpu_start + span(ends) + span(sources);
    return up +
           std::max(shared_seconds({pairs, interactions, shifts, targets, others, ends}, machine.cpus, machine.gpus),
                    span(interactions) + span(shifts) + span(targets) + span(ends) + communication(w));
  }
  /// Points per leaf of a uniform tree that balance near and far part (fmm.md, Sec. 1.6).
  double balanced() const {
    double const interaction = machine.gpus > 0 ? gpu.interaction : cpu.interaction,
                 pair = machine.gpus > 0 ? gpu.pair : cpu.pair;
    return std::sqrt(far_boxes(sight.separation) * interaction / (near_boxes(sight.separation) * pair));
  }
};

FmmChoice with_tree(FmmChoice start, TreeCandidate const& tree, Model const& model) {
  start.depth = tree.depth;
  start.capacity = tree.capacity;
  start.stretch = tree.stretch;
  start.seconds = model.seconds(tree.work);
  start.gpu_seconds = model.gpu_seconds(tree.work);
  start.on_gpu = model.on_gpu;
  start.near_in_single = model.near_in_single;
  start.cost = model.cost(tree.work);
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

/// For each separation and precision of pairs, `visit(model, choice)` with the order that reaches the tolerance.
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
    Model const model{o,
                      order,
                      points,
                      {separation, periodic, periodic ? near_boxes(separation) : 1},
                      machine,
                      fmm_seconds(o.kernel, o.outputs, order, machine, WorkerKind::cpu, near_in_single),
                      fmm_seconds(o.kernel, o.outputs, order, machine, WorkerKind::gpu, near_in_single),
                      machine.all_on_gpus(targets),
                      near_in_single};
    FmmChoice const found = visit(model, FmmChoice{.order = order, .separation = separation});
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

/// All uniform trees that the options allow, down to level `last`.
std::vector<TreeCandidate> uniform_trees(FmmOptions const& o, Occupancy const& found, double points,
                                         TreeSight const& sight, int last) {
  std::vector<TreeCandidate> trees;
  for (double stretch : stretches(o))
    for (int depth = o.depth.value_or(0); depth <= last; ++depth)
      trees.push_back(uniform_tree(found, depth, stretch, points, sight));
  return trees;
}

TreeCandidate const& cheaper(TreeCandidate const& a, TreeCandidate const& b, Cost const& cost) {
  return cost(b.work) < cost(a.work) ? b : a;
}

/// Capacities go by powers of sqrt(2): for other precisions and separations the same trees are compared, which whoever
/// makes them makes once.
int capacity_near(double wanted) { return std::max(1, int(std::exp2(std::round(2 * std::log2(wanted)) / 2))); }

/// Starts from the middle of likely capacities, as multiples of the balanced one, and goes up and down as long as costs
/// fall; not at all where these are far above the cost already known.
TreeCandidate cheapest_capacity(TreeSearch const& search, double balanced, Cost const& cost, double known) {
  constexpr double start = 2;
  constexpr std::array down{1.4, 1.0}, up{2.8, 4.0};
  auto const capacity = [&](double factor) { return capacity_near(factor * balanced); };
  if (std::isinf(known)) search.expect(std::array{capacity(start), capacity(down[0]), capacity(up[0])});
  TreeCandidate const middle = search.adaptive(capacity(start));
  TreeCandidate best = middle;
  if (cost(middle.work) > 1.2 * known) return best;
  for (auto const& way : {down, up})
    for (TreeCandidate before = middle; double factor : way) {
      TreeCandidate const next = search.adaptive(capacity(factor));
      best = cheaper(best, next, cost);
      if (cost(next.work) > cost(before.work)) break;
      before = next;
    }
  return best;
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
  return for_separations<T>(options, points, targets, machine, [&](Model const& model, FmmChoice const& start) {
    TreeSearch search(trees, level, found, model.sight, model.few());
    auto const cost = [&](TreeWork const& work) { return model.cost(work); };
    auto const adaptive = [&] { return cheapest_capacity(search, model.balanced(), cost, least); };
    auto const may_be_adaptive = [&](TreeCandidate const& uniform) {
      return !options.depth && !options.capacity && search.is_uneven(uniform);
    };
    TreeCandidate best;
    if (options.capacity.value_or(0) > 0) {
      best = search.adaptive(*options.capacity);
    } else {
      auto const uniform = uniform_trees(options, found, points, model.sight, last);
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
    return with_tree(start, best, model);
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
  return for_separations<T>(options, count, count, machine, [&](Model const& model, FmmChoice const& start) {
    auto const trees = uniform_trees(options, found, count, model.sight, last);
    auto const cost = [&](TreeCandidate const& tree) { return model.cost(tree.work); };
    return with_tree(start, *std::ranges::min_element(trees, {}, cost), model);
  });
}

#define NEARFAR_INSTANTIATE(T)                                                                         \
  template FmmChoice choose_fmm<T>(FmmOptions const&, PointTrees const&, int, double, Machine const&); \
  template FmmChoice choose_fmm_for_uniform<T>(FmmOptions const&, double, Machine const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
