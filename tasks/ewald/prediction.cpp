// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald/prediction.hpp"

#include "core/plan/ewald/communication.hpp"
#include "core/plan/ewald/work.hpp"
#include "tasks/ewald/costs.hpp"

#include <algorithm>

namespace nearfar::detail {

namespace {

/// The extra time of a stage whose largest task is far above the mean: plans assume equal tasks.
template <class Cost>
double beyond_even(Machine const& machine, double seconds, int tasks, Cost const& cost) {
  double sum = 0, largest = 0;
  for (int i = 0; i < tasks; ++i) {
    double const c = cost(i);
    sum += c;
    largest = std::max(largest, c);
  }
  return sum > 0 ? std::max(0.0, seconds * largest / sum - machine.span(seconds, tasks)) : 0;
}

/// Bin, far part and merge, stage after stage.
template <class T>
double chain_seconds(Machine const& machine, EwaldSetup<T> const& setup, PointSet<T> const& points) {
  EwaldPlanning const& p = setup.parameters;
  EwaldCosts<T> const cost{setup, points};
  return p.chain_seconds +
         beyond_even(machine, p.point_seconds / 2, setup.cells.block_count(), [&](int b) { return cost.bin(b); }) +
         beyond_even(machine, p.spread_seconds, setup.grid.layout.slabs,
                     [&](int s) { return cost.p2g(s, blocks_of_slab(setup.grid, setup.cells, s)); });
}

}  // namespace

/// Evenly shared work takes no less than its longest chain. On GPUs only the near part can hide messages.
template <class T>
double predicted_seconds(Machine const& machine, EwaldOptions options, EwaldSetup<T> const& setup,
                         PointSet<T> const& points, Part part, int vectors) {
  EwaldPlanning const& p = setup.parameters;
  if (p.on_gpus) {
    options.box = setup.box;
    options.cell = setup.options.cell;
    double const near = part == Part::far ? 0 : p.near_gpu_seconds / machine.gpus;
    if (part == Part::near) return near;
    Communication const communication = predict_communication(options, p, double(points.sources().size()), machine);
    return p.far_gpu_seconds / machine.gpus + std::max(near, communication_seconds(communication, machine));
  }
  double const blocks = double(p.blocks[0]) * p.blocks[1] * p.blocks[2],
               together = machine.gpus > 0 ? 1 : pairs_of_each(setup.kernel, vectors),
               pairs = part == Part::far ? 0 : together * (p.near_seconds - p.point_seconds),
               far = part == Part::near ? 0 : p.far_seconds,
               chain = part == Part::near ? 0 : chain_seconds(machine, setup, points);
  auto const shared = [&](double task, double last) {
    return machine.until_last(machine.seconds(pairs, p.point_seconds, far, p.near_gpu_seconds, task), last);
  };
  if (machine.gpus > 0) return std::max(chain, shared(pairs / blocks, part == Part::near ? 0 : p.last_seconds));
  double const near = pairs > 0 ? pairs + p.point_seconds : 0;
  return std::max({shared(0, part == Part::near ? near / blocks : p.last_seconds), chain, machine.span(near, blocks)});
}

#define NEARFAR_INSTANTIATE(T)                                                                                       \
  template double predicted_seconds<T>(Machine const&, EwaldOptions, EwaldSetup<T> const&, PointSet<T> const&, Part, \
                                       int);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
