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

/// Errors by order, at 2, 4, 6, ...; beyond, each further order divides by `ratio`. Potentials as in fmm.md, Sec. 1.7;
/// the others 1.4 times what 4000 points in a cube at depth 3 had.
struct ErrorTable {
  std::array<double, 9> at;
  int entries;
  double ratio;

  double operator()(int order) const {
    double const place = order / 2.0 - 1;
    if (place <= 0) return at[0] * std::pow(at[0] / at[1], -place);
    int const last = entries - 1;
    if (place >= last) return at[std::size_t(last)] * std::pow(ratio, -2 * (place - last));
    auto const i = std::size_t(place);
    double const t = place - double(i);
    return std::pow(at[i], 1 - t) * std::pow(at[i + 1], t);
  }
};

struct ErrorTables {
  ErrorTable potential, gradient, stokeslet, stresslet;
};
constexpr ErrorTables errors[2] = {
    {{{1.2e-2, 1.3e-3, 1.8e-4, 2.7e-5, 4.8e-6, 9.9e-7, 2.3e-7, 6.4e-8, 2.0e-8}, 9, 1.80},
     {{1.0e-2, 1.5e-3, 2.7e-4, 4.9e-5, 1.0e-5, 2.2e-6, 6.3e-7, 1.8e-7, 5.1e-8}, 9, 1.66},
     {{5.4e-2, 7.0e-3, 1.1e-3, 2.2e-4, 4.4e-5, 1.0e-5, 2.8e-6, 7.4e-7, 2.5e-7}, 9, 1.58},
     {{3.6e-2, 7.6e-3, 1.9e-3, 4.4e-4, 1.1e-4, 2.9e-5, 8.0e-6, 2.6e-6, 1.0e-6}, 9, 1.51}},
    {{{2.5e-3, 9.8e-5, 4.7e-6, 2.6e-7, 1.8e-8, 1.5e-9, 1.3e-10, 1.1e-11}, 8, 3.3},
     {{2.1e-3, 1.1e-4, 6.9e-6, 4.5e-7, 3.9e-8, 3.1e-9, 2.6e-10, 2.4e-11}, 8, 3.3},
     {{1.7e-2, 7.6e-4, 4.3e-5, 3.2e-6, 2.4e-7, 2.4e-8, 1.8e-9, 1.7e-10}, 8, 3.2},
     {{8.1e-3, 6.2e-4, 5.1e-5, 4.1e-6, 3.9e-7, 3.5e-8, 3.7e-9, 3.5e-10}, 8, 3.1}}};

/// What one level of a tree is like: boxes, and pairs of points that share one.
struct Cost {
  double seconds, boxes;
};

/// Boxes that a box of a tree sees near and far, from how many children boxes have on average (8 in space, 4 on a
/// surface).
double near_boxes(double children, int separation) { return std::pow(children, std::log2(2.0 * separation + 1)); }
double far_boxes(double children, int separation) {
  return std::pow(children, std::log2(4.0 * separation + 2)) - near_boxes(children, separation);
}

/// Seconds of the parts of a solve.
struct Model {
  int separation;
  double pair, link, point;
};

template <Kernel K, bool G>
FmmFlops flops_of(int p) {
  return {bare_pair_flops<K, G>(), m2l_flops(p),       m2m_flops(p),    l2l_flops(p),    p2m_flops<K>(p),
          l2p_flops<K>(p, G),      m2p_flops<K>(p, G), p2l_flops<K>(p), lattice_flops(p)};
}

Cost uniform_cost(Occupancy const& o, int depth, double count, Model const& m) {
  auto const children = [&](int level) {
    return level == 0 ? 8.0 : std::max(1.01, o.boxes[std::size_t(level)] / o.boxes[std::size_t(level) - 1]);
  };
  auto const d = std::size_t(depth);
  double const crowding = depth == 0 ? 8.0 : std::clamp(o.pairs[d - 1] / o.pairs[d], 1.0, 8.0);
  double const all = o.pairs[0];
  Cost cost{std::min(all, o.pairs[d] * near_boxes(crowding, m.separation)) * m.pair, 1};
  if (depth >= 2) cost.seconds += count * m.point;
  for (int level = 2; level <= depth; ++level) {
    double const boxes = o.boxes[std::size_t(level)];
    cost.seconds += boxes * std::min(boxes, far_boxes(children(level), m.separation)) * m.link;
    cost.boxes += boxes;
  }
  return cost;
}

/// Of a tree whose boxes of more than `capacity` points are divided: its boxes, and what its leaves hold.
Cost adaptive_cost(SortedKeys const& sorted, int level, int capacity, Model const& m) {
  auto const& keys = sorted.keys;
  double pairs = 0, boxes = 0, leaves = 0, inner = 0;
  struct Range {
    std::size_t first, last;
    int depth;
  };
  std::vector<Range> open{{0, keys.size(), 0}};
  while (!open.empty()) {
    Range const r = open.back();
    open.pop_back();
    ++boxes;
    double const points = double(r.last - r.first);
    if (points <= capacity || r.depth == level) {
      pairs += points * points;
      ++leaves;
      continue;
    }
    ++inner;
    int const shift = 3 * (level - r.depth - 1);
    for (std::size_t first = r.first; first < r.last;) {
      auto const end = std::partition_point(keys.begin() + std::ptrdiff_t(first), keys.begin() + std::ptrdiff_t(r.last),
                                            [&](MortonKey k) { return (k >> shift) == (keys[first] >> shift); });
      auto const last = std::size_t(end - keys.begin());
      open.push_back({first, last, r.depth + 1});
      first = last;
    }
  }
  double const children = inner > 0 ? std::max(1.01, (boxes - 1) / inner) : 8.0;
  double const all = double(keys.size()) * double(keys.size());
  // Leaves beside larger and smaller ones: W, X and crowded U lists add about a half.
  constexpr double uneven = 1.5;
  double const seconds = uneven * (std::min(all, pairs * near_boxes(children, m.separation)) * m.pair +
                                   boxes * std::min(boxes, far_boxes(children, m.separation)) * m.link) +
                         double(keys.size()) * m.point;
  return {seconds, boxes};
}

void take_better(FmmChoice& best, FmmChoice const& candidate) {
  if (candidate.seconds < best.seconds) best = candidate;
}

/// For each separation, `visit(model, choice)` with the order that reaches the tolerance.
template <class T, class Visit>
FmmChoice for_separations(FmmOptions const& o, Visit visit) {
  FmmChoice best;
  best.seconds = std::numeric_limits<double>::infinity();
  for (int separation : {1, 2}) {
    if (o.well_separation && *o.well_separation != separation) continue;
    int order = o.order ? *o.order : order_for<T>(o, separation);
    if (order == 0) {
      if (!o.well_separation) continue;
      order = highest_fmm_order<T>();
    }
    FmmRates const rates = fmm_rates<T>();
    FmmFlops const flops = fmm_flops(o.kernel, o.gradient, order);
    Model const model{separation, flops.pair * rates.pair,
                      fmm_right_hand_sides(o.kernel) * flops.m2l * rates.translation,
                      (flops.p2m + flops.l2p) * rates.point};
    FmmChoice choice{order, separation, 0, 0, 0, 0, fmm_error(o, order, separation)};
    take_better(best, visit(model, choice));
  }
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
    take_better(best, candidate);
  }
  return best;
}

constexpr int deepest_uniform = 9;

}  // namespace

double fmm_error(FmmOptions const& options, int order, int separation) {
  ErrorTables const& table = errors[separation - 1];
  double const images = options.periodicity == Periodicity::xyz ? 3 : 1;
  if (options.kernel == Kernel::stokeslet) return table.stokeslet(order);
  if (options.kernel != Kernel::laplace) return std::max(table.stokeslet(order), table.stresslet(order));
  double const potential = table.potential(order);
  return images * (options.gradient ? std::max(potential, table.gradient(order)) : potential);
}

template <class T>
int order_for(FmmOptions const& options, int separation) {
  for (int order = 1; order <= highest_fmm_order<T>(); ++order)
    if (fmm_error(options, order, separation) <= options.tolerance) return order;
  return 0;
}

FmmFlops fmm_flops(Kernel kernel, bool gradient, int order) noexcept {
  switch (kernel) {
    case Kernel::stokeslet: return flops_of<Kernel::stokeslet, false>(order);
    case Kernel::stresslet: return flops_of<Kernel::stresslet, false>(order);
    case Kernel::stokes: return flops_of<Kernel::stokes, false>(order);
    case Kernel::laplace: break;
  }
  return gradient ? flops_of<Kernel::laplace, true>(order) : flops_of<Kernel::laplace, false>(order);
}

template <class T>
FmmRates fmm_rates() noexcept {
  double const lanes = std::is_same_v<T, float> ? 0.5 : 1;
  return {lanes * 2.5e-11, lanes * 2.5e-11, lanes * 4e-11};
}

template <class T>
FmmChoice choose_fmm(FmmOptions const& options, SortedKeys const& keys, int level) {
  double const count = double(keys.keys.size());
  int const last = options.depth ? std::min(*options.depth, level) : std::min(deepest_uniform, level);
  Occupancy const found = occupancy(raised(keys, level - last), last);
  return for_separations<T>(options, [&](Model const& model, FmmChoice const& start) {
    auto const adaptive = [&](int capacity) {
      Cost const cost = adaptive_cost(keys, level, capacity, model);
      FmmChoice choice = start;
      choice.capacity = capacity;
      choice.depth = level;
      choice.seconds = cost.seconds;
      choice.boxes = cost.boxes;
      return choice;
    };
    if (options.capacity && *options.capacity > 0) return adaptive(*options.capacity);
    FmmChoice best = best_uniform(options, found, count, model, start);
    if (options.depth || options.capacity) return best;
    // What balances both parts in a leaf of an even tree (fmm.md, Sec. 1.6).
    double const balanced =
        std::sqrt(far_boxes(8, model.separation) * model.link / (near_boxes(8, model.separation) * model.pair));
    for (double factor : {1.0, 2.0, 4.0}) take_better(best, adaptive(std::max(1, int(factor * balanced))));
    return best;
  });
}

template <class T>
FmmChoice choose_fmm_for_uniform(FmmOptions const& options, double count) {
  Occupancy found;
  int const last = options.depth ? *options.depth : deepest_uniform;
  for (int depth = 0; depth <= last; ++depth) {
    double const all = std::pow(8.0, depth);
    found.boxes.push_back(all * -std::expm1(-count / all));
    found.pairs.push_back(count + count * (count - 1) / all);
  }
  return for_separations<T>(options, [&](Model const& model, FmmChoice const& start) {
    return best_uniform(options, found, count, model, start);
  });
}

#define NEARFAR_INSTANTIATE(T)                                                 \
  template int order_for<T>(FmmOptions const&, int);                           \
  template FmmRates fmm_rates<T>() noexcept;                                   \
  template FmmChoice choose_fmm<T>(FmmOptions const&, SortedKeys const&, int); \
  template FmmChoice choose_fmm_for_uniform<T>(FmmOptions const&, double);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
