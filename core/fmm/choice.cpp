// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/choice.hpp"

#include "core/fmm/flops.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

namespace nearfar {

namespace {

/// What a tree costs, its boxes, and the points that a point finds in its leaf.
struct Cost {
  double seconds, boxes, crowd;
};

/// Boxes that a box of a full tree sees near and far (fmm.md, Sec. 1.6).
double near_boxes(int separation) { return std::pow(2 * separation + 1, 3); }
double far_boxes(int separation) { return std::pow(4 * separation + 2, 3) - near_boxes(separation); }

/// Boxes with points near a box: as many of its neighbours as of its seven siblings.
double near_occupied(double siblings, int separation) { return 1 + (near_boxes(separation) - 1) * (siblings - 1) / 7; }

/// Seconds of the parts of a solve.
struct Model {
  int separation;
  double images;                     ///< of the cell that are summed directly, itself included
  double pair, link, shifts, point;  ///< shifts: up and down, of one box
};

template <Kernel K, bool G>
FmmFlops flops_of(int p) {
  return {bare_pair_flops<K, G>(), m2l_flops(p),       m2m_flops(p),    l2l_flops(p),    p2m_flops<K>(p),
          l2p_flops<K>(p, G),      m2p_flops<K>(p, G), p2l_flops<K>(p), lattice_flops(p)};
}

Cost uniform_cost(Occupancy const& o, int depth, double count, Model const& m) {
  auto const d = std::size_t(depth);
  double const all = m.images * o.pairs[0], shared = o.pairs[d];
  // Neighbours hold as much as siblings do.
  double const across = depth == 0 ? 0 : (o.pairs[d - 1] - shared) / 7 * (near_boxes(m.separation) - 1);
  double const pairs = depth == 0 ? all : std::min(all, shared + across);
  Cost cost{pairs * m.pair, 1, shared / count};
  if (depth >= 2) cost.seconds += count * m.point;
  for (std::size_t level = 2; level <= d; ++level) {
    double const boxes = o.boxes[level], above = near_occupied(o.siblings[level - 1], m.separation);
    double const links = above * o.siblings[level] - near_occupied(o.siblings[level], m.separation);
    cost.seconds += boxes * (std::clamp(links, 0.0, m.images * boxes) * m.link + m.shifts);
    cost.boxes += boxes;
  }
  return cost;
}

/// Of a tree whose boxes of more than `capacity` points are divided.
Cost adaptive_cost(SortedKeys const& sorted, int level, int capacity, Model const& m) {
  auto const& keys = sorted.keys;
  double const count = double(keys.size()), others = (near_boxes(m.separation) - 1) / 7;
  double pairs = 0, boxes = 1, links = 0, shared = 0;
  struct Range {
    std::size_t first, last;
    int depth;
    double near;  ///< boxes with points near it
  };
  std::vector<Range> open{{0, keys.size(), 0, 1}};
  while (!open.empty()) {
    Range const r = open.back();
    open.pop_back();
    if (r.last - r.first <= std::size_t(capacity) || r.depth == level) continue;
    int const shift = 3 * (level - r.depth - 1);
    std::array<std::size_t, 9> bound{r.first};
    std::size_t children = 0;
    double limited = 0;
    for (std::size_t first = r.first; first < r.last; first = bound[children]) {
      auto const end = std::partition_point(keys.begin() + std::ptrdiff_t(first), keys.begin() + std::ptrdiff_t(r.last),
                                            [&](MortonKey k) { return (k >> shift) == (keys[first] >> shift); });
      bound[++children] = std::size_t(end - keys.begin());
      limited += std::min(double(bound[children] - first), double(capacity));
    }
    double const near = near_occupied(double(children), m.separation);
    boxes += double(children);
    if (r.depth > 0) links += double(children) * std::max(0.0, r.near * double(children) - near);
    for (std::size_t c = 0; c < children; ++c) {
      double const points = double(bound[c + 1] - bound[c]);
      open.push_back({bound[c], bound[c + 1], r.depth + 1, near});
      if (points > capacity && r.depth + 1 < level) continue;
      shared += points * points;
      pairs += points * (points + others * (limited - std::min(points, double(capacity))));
    }
  }
  double const all = m.images * count * count;
  if (count <= capacity) pairs = shared = all;
  // Leaves beside larger and smaller ones: W and X lists, and more in U.
  constexpr double uneven = 1.3;
  return {uneven * (std::min(all, pairs) * m.pair + links * m.link) + boxes * m.shifts + count * m.point, boxes,
          shared / count};
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
    Model const model{separation, images, t.pair, t.link, 2 * t.shift, t.source + t.target};
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

FmmChoice best_uniform(FmmOptions const& o, Occupancy const& found, double count, Model const& model,
                       FmmChoice const& start) {
  FmmChoice best = start;
  best.seconds = std::numeric_limits<double>::infinity();
  for (int depth = 0; depth < int(found.boxes.size()); ++depth) {
    if (o.depth && *o.depth != depth) continue;
    Cost const cost = uniform_cost(found, depth, count, model);
    FmmChoice candidate = start;
    candidate.depth = depth;
    candidate.seconds = cost.seconds;
    candidate.boxes = cost.boxes;
    candidate.crowd = cost.crowd;
    take_better(best, candidate);
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
  return {lanes * 2.5e-11, lanes * 2.5e-11, lanes * 1e-9, lanes * 2.5e-11, lanes * 4e-11, lanes * 4e-11, lanes * 4e-8};
}

template <class T>
FmmChoice choose_fmm(FmmOptions const& options, SortedKeys const& keys, int level, double targets,
                     FmmRates const& rates) {
  double const count = double(keys.keys.size());
  int const last = options.depth ? std::min(*options.depth, level) : std::min(deepest_uniform, level);
  Occupancy const found = occupancy(raised(keys, level - last), last);
  return for_separations<T>(options, targets, rates, [&](Model const& model, FmmChoice const& start) {
    auto const adaptive = [&](int capacity) {
      Cost const cost = adaptive_cost(keys, level, capacity, model);
      FmmChoice choice = start;
      choice.capacity = capacity;
      choice.depth = level;
      choice.seconds = cost.seconds;
      choice.boxes = cost.boxes;
      choice.crowd = cost.crowd;
      return choice;
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
  return for_separations<T>(options, count, rates, [&](Model const& model, FmmChoice const& start) {
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
