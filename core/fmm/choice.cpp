// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/choice.hpp"

#include "core/fmm/flops.hpp"
#include "core/fmm/tree_cost.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace nearfar {

namespace {

template <Kernel K, bool G>
FmmFlops flops_of(int p) {
  return {bare_pair_flops<K, G>(), m2l_flops(p),       m2m_flops(p),    l2l_flops(p),    p2m_flops<K>(p),
          l2p_flops<K>(p, G),      m2p_flops<K>(p, G), p2l_flops<K>(p), lattice_flops(p)};
}

/// `start` with the tree that costs that.
FmmChoice with_tree(FmmChoice start, int depth, int capacity, double stretch, TreeCost const& cost) {
  start.depth = depth;
  start.capacity = capacity;
  start.stretch = stretch;
  start.seconds = cost.seconds;
  start.boxes = cost.boxes;
  start.crowd = cost.crowd;
  return start;
}

void take_better(FmmChoice& best, FmmChoice const& candidate) {
  if (candidate.seconds < best.seconds) best = candidate;
}

/// For each separation, `visit(model, choice)` with the order that reaches the tolerance.
template <class T, class Visit>
FmmChoice for_separations(FmmOptions const& o, double targets, FmmRates const& rates, Visit visit) {
  FmmChoice best;
  best.seconds = std::numeric_limits<double>::infinity();
  for (int separation : {1, 2}) {
    if (o.well_separation && *o.well_separation != separation) continue;
    if (!converges(o, separation)) continue;
    int order = o.order ? *o.order : order_for<T>(o, separation);
    if (order == 0) {
      if (!o.well_separation) continue;
      order = highest_fmm_order<T>();
    }
    FmmSeconds const t = fmm_seconds(o.kernel, o.gradient, order, rates);
    double const images = o.periodicity == Periodicity::xyz ? near_boxes(separation) : 1;
    TreeWork const model{separation,         o.periodicity == Periodicity::xyz, images, t.pair, t.link, 2 * t.shift,
                         t.source + t.target};
    FmmChoice choice{.order = order, .separation = separation};
    take_better(best, visit(model, choice));
  }
  double const more = sparse_leaves(best.crowd) * few_targets(o, targets);
  if (FmmOptions finer = o; !o.order && more > 1) {
    finer.tolerance /= more;
    int const order = order_for<T>(finer, best.separation);
    best.order = order > 0 ? order : highest_fmm_order<T>();
  }
  best.error = more * fmm_error(o, best.order, best.separation);
  return best;
}

/// Roots that the points do not fill: their leaves are 7, 6 or 5 to what would be 8 in the least root, so that a leaf
/// can hold what costs least, whatever the number of points. A periodic root is the cell, and its depth may be set.
std::vector<double> stretches(FmmOptions const& o) {
  if (o.periodicity == Periodicity::xyz || o.depth) return {1};
  return {1, 8.0 / 7, 8.0 / 6, 8.0 / 5};
}

FmmChoice best_uniform(FmmOptions const& o, Occupancy const& found, double count, TreeWork const& model,
                       FmmChoice const& start) {
  FmmChoice best = start;
  best.seconds = std::numeric_limits<double>::infinity();
  for (double stretch : stretches(o)) {
    Occupancy const here = stretched(found, stretch);
    for (int depth = 0; depth < int(here.boxes.size()); ++depth) {
      if (o.depth && *o.depth != depth) continue;
      take_better(best, with_tree(start, depth, 0, stretch, uniform_cost(here, depth, count, model)));
    }
  }
  return best;
}

constexpr int deepest_uniform = 9;

}  // namespace

FmmFlops fmm_flops(Kernel kernel, bool gradient, int order) noexcept {
  switch (kernel) {
    case Kernel::stokeslet: return flops_of<Kernel::stokeslet, false>(order);
    case Kernel::stresslet: return flops_of<Kernel::stresslet, false>(order);
    case Kernel::stokes: return flops_of<Kernel::stokes, false>(order);
    case Kernel::laplace: break;
  }
  return gradient ? flops_of<Kernel::laplace, true>(order) : flops_of<Kernel::laplace, false>(order);
}

FmmSeconds fmm_seconds(Kernel kernel, bool gradient, int order, FmmRates const& r) noexcept {
  FmmFlops const f = fmm_flops(kernel, gradient, order);
  double const rhs = fmm_right_hand_sides(kernel);
  return {f.pair * r.pair,
          rhs * (r.link + f.m2l * r.translation),
          rhs * (f.m2m + f.l2l) / 2 * r.shift,
          f.p2m * r.point + r.particle / 2,
          f.l2p * r.point + r.particle / 2,
          f.m2p * r.evaluation,
          f.p2l * r.evaluation};
}

template <class T>
FmmRates default_fmm_rates() noexcept {
  double const lanes = std::is_same_v<T, float> ? 0.5 : 1;
  return {lanes * 1.5e-11, lanes * 1.25e-11, lanes * 3e-9, lanes * 1.9e-11, lanes * 2.1e-11, lanes * 2.5e-11, 3e-8};
}

template <class T>
FmmChoice choose_fmm(FmmOptions const& options, SortedKeys const& keys, int level, double targets,
                     FmmRates const& rates) {
  double const count = double(keys.keys.size());
  int const last = options.depth ? std::min(*options.depth, level) : std::min(deepest_uniform, level);
  Occupancy const found = occupancy(raised(keys, level - last), last);
  return for_separations<T>(options, targets, rates, [&](TreeWork const& model, FmmChoice const& start) {
    auto const adaptive = [&](int capacity) {
      return with_tree(start, level, capacity, 1, adaptive_cost(keys, level, capacity, model));
    };
    if (options.capacity && *options.capacity > 0) return adaptive(*options.capacity);
    FmmChoice best = best_uniform(options, found, count, model, start);
    if (options.depth || options.capacity) return best;
    // What balances both parts in a leaf of an even tree (fmm.md, Sec. 1.6).
    double const balanced =
        std::sqrt(far_boxes(model.separation) * model.link / (near_boxes(model.separation) * model.pair));
    for (double factor : {1.0, 2.0, 4.0}) take_better(best, adaptive(std::max(1, int(factor * balanced))));
    return best;
  });
}

template <class T>
FmmChoice choose_fmm_for_uniform(FmmOptions const& options, double count, FmmRates const& rates) {
  Occupancy found;
  int const last = options.depth ? *options.depth : deepest_uniform;
  for (int depth = 0; depth <= last; ++depth) {
    double const all = std::pow(8.0, depth);
    found.boxes.push_back(all * -std::expm1(-count / all));
    found.pairs.push_back(count + count * (count - 1) / all);
    double const filled = found.boxes.back() / all;
    found.siblings.push_back(depth == 0 ? 1 : 1 + 7 * filled);
  }
  return for_separations<T>(options, count, rates, [&](TreeWork const& model, FmmChoice const& start) {
    return best_uniform(options, found, count, model, start);
  });
}

#define NEARFAR_INSTANTIATE(T)                                                                          \
  template FmmRates default_fmm_rates<T>() noexcept;                                                    \
  template FmmChoice choose_fmm<T>(FmmOptions const&, SortedKeys const&, int, double, FmmRates const&); \
  template FmmChoice choose_fmm_for_uniform<T>(FmmOptions const&, double, FmmRates const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
