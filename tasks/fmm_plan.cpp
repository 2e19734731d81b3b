// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm_plan.hpp"

#include "core/fmm/packed.hpp"
#include "tasks/expect.hpp"
#include "tasks/fmm_graph.hpp"
#include "tasks/fmm_prediction.hpp"
#include "tasks/fmm_rates.hpp"
#include "tasks/fmm_root.hpp"
#include "tasks/machine_shape.hpp"
#include "tasks/memory.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <starpu.h>

namespace nearfar::detail {

namespace {

constexpr int adaptive_level = 16;  // where keys of trees with a capacity end; at most deepest_level
constexpr double shortest_task = 2e-3, longest_task = 12e-3, fewest_tasks = 64;
constexpr double tasks_for_each = 16, least_tasks = 96, most_tasks = 256;  // of a stage, for the workers
constexpr double boxes_for_lanes = 64;                                     // of blocks whose M2L fills lanes well

/// Bytes of expansions, tables and points.
template <class T>
std::size_t bytes_of(FmmOptions const& options, FmmChoice const& c, double links, double points) {
  int const rhs = fmm_right_hand_sides(options.kernel);
  double const expansions = 2 * c.boxes * double(expansion_size<T>(c.order, rhs, 1)) * sizeof(T);
  int const numbers = strength_components(options.kernel) + 2 * result_components(options.kernel, options.gradient);
  return std::size_t(expansions + links * sizeof(Link) + c.boxes * 200 + points * (32 + sizeof(T) * (3 + numbers)));
}

void expect_room(std::size_t bytes, FmmChoice const& c) {
  if (bytes <= memory_limit()) return;
  std::string const tree = "a tree of depth " + std::to_string(c.depth) + " with " +
                           std::to_string(std::size_t(c.boxes)) + " boxes and order " + std::to_string(c.order);
  throw Error(Fault::no_resource, tree + " needs about " + gibibytes(bytes) + " of memory (this machine has " +
                                      gibibytes(memory_limit()) +
                                      "); take a smaller depth or order, fewer particles, or single precision");
}

double links_per_box(int separation) { return separation == 1 ? 189 : 875; }

/// Enough tasks to share, and few, since their submission costs as much each, M2L of many boxes fills its lanes, and
/// most pairs of P2P are within large blocks.
FmmGrain grain_of(FmmSeconds const& t, FmmChoice const& c, FmmMachine const& machine) {
  double const wanted = std::clamp(tasks_for_each * machine.cpus, least_tasks, most_tasks),
               fills = boxes_for_lanes * links_per_box(1) * t.link;
  double const task = machine.gpus > 0
                          ? c.seconds / machine.gpu_blocks(c.seconds, c.gpu_seconds)
                          : std::clamp(std::max(c.seconds / wanted, std::min(fills, c.seconds / fewest_tasks)),
                                       shortest_task, longest_task);
  return {t.link, t.pair, t.m2p, t.shift, task};
}

/// On the workers that are up. What is shared evenly takes no less than the longest chain in it.
double predicted_seconds(FmmParameters const& p) {
  return std::max(cpus_alone().until_last(p.shared_seconds, p.last_seconds), p.chain_seconds);
}

}  // namespace

template <class T>
FmmPlan<T>::FmmPlan(std::shared_ptr<RuntimeState> runtime, FmmOptions const& options,
                    std::optional<FmmMachine> const& given)
    : runtime_(std::move(runtime)), options_(options) {
  check_options<T>(options_);
  machine_ = given ? *given : fmm_machine<T>(runtime_, options_.implementation);
  if (options_.count == 0) return;
  FmmChoice const c = choose_fmm_for_uniform<T>(options_, double(options_.count), machine_);
  FmmParameters p;
  p.box = options_.box;
  p.order = c.order;
  p.depth = c.depth;
  p.well_separation = c.separation;
  p.estimated_error = c.error;
  p.boxes = std::size_t(c.boxes);
  p.seconds = c.seconds;
  p.bytes = bytes_of<T>(options_, c, c.boxes * links_per_box(c.separation), double(options_.count));
  expect_room(p.bytes, c);
  parameters_ = p;
}

template <class T>
FmmParameters FmmPlan<T>::parameters() const {
  std::lock_guard const lock(mutex_);
  if (!parameters_)
    throw Error(Fault::bad_input,
                "the plan has no parameters yet (they depend on how many points there are); set FmmOptions::count, or "
                "call set_points first");
  return *parameters_;
}

template <class T>
std::shared_ptr<FmmSetup<T>> FmmPlan<T>::setup_for(FmmChoice const& c) {
  if (!setup_ || setup_->order != c.order || setup_->separation != c.separation)
    setup_ = std::make_shared<FmmSetup<T>>(options_, c.order, c.separation);
  return setup_;
}

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::set_points(std::span<T const> sources, std::span<T const> targets, bool same) {
  expect_points("sources", sources.size());
  if (!same) expect_points("targets", targets.size());
  FmmRoot root = root_of(options_, sources, targets);
  PlacedRows<T> from, to;
  bool const periodic = options_.periodicity == Periodicity::xyz;
  int const level = options_.depth ? *options_.depth : adaptive_level;
  TreeShape shape{{}, root.half, periodic, 1, level, 0, root.aspect};
  SortedKeys source_keys, target_keys;
  auto const enter = [&] {
    shape.half = root.half;
    auto const keys = [&](PlacedRows<T> const& rows) {
      return sorted(point_keys(shape, std::span<T const>(rows.relative), level), 3 * level);
    };
    from = placed_rows(options_, root, sources, "source");
    source_keys = keys(from);
    if (same) return;
    to = placed_rows(options_, root, targets, "target");
    target_keys = keys(to);
  };
  enter();
  bool const by_targets = target_keys.keys.size() > source_keys.keys.size();
  FmmChoice const c = choose_fmm<T>(options_, by_targets ? target_keys : source_keys, level,
                                    double((same ? source_keys : target_keys).keys.size()), machine_);
  double const points = double(from.relative.size() + to.relative.size()) / 3;
  expect_room(bytes_of<T>(options_, c, c.boxes * links_per_box(c.separation), points), c);
  if (c.stretch > 1) {
    root = stretched(root, c.stretch);
    enter();
  }

  shape.depth = c.depth;
  shape.separation = c.separation;
  shape.capacity = c.capacity;
  Tree tree = make_tree(shape, raised(std::move(source_keys), level - c.depth),
                        raised(std::move(target_keys), level - c.depth), same);
  FmmSeconds const t = fmm_cpu_seconds<T>(options_.kernel, options_.gradient, c.order, machine_);
  FmmGpuSeconds const gpu = fmm_gpu_seconds<T>(options_.kernel, options_.gradient, c.order, machine_.gpu);
  tree.shape.centre = root.centre;
  auto const blocked =
      std::make_shared<FmmTree>(std::move(tree), few_points(t, gpu, machine_), grain_of(t, c, machine_));

  FmmParameters p;
  for (std::size_t d = 0; d < 3; ++d) p.box[d] = 2 * root.half * root.aspect[d];
  p.order = c.order;
  p.depth = blocked->tree().depth();
  p.capacity = c.capacity;
  p.well_separation = c.separation;
  p.estimated_error = c.error;
  p.boxes = blocked->tree().boxes();
  p.blocks = std::size_t(blocked->blocks());
  p.translations = std::size_t(blocked->work(&BlockLists::m2l));
  p.evaluations = std::size_t(blocked->work(&BlockLists::m2p));
  p.expansions = std::size_t(blocked->work(&BlockLists::p2l));
  p.pairs = std::size_t(blocked->work(&BlockLists::p2p));
  p.bytes = bytes_of<T>(options_, c, double(p.translations), points);
  FmmPrediction const predicted = predict_fmm(*blocked, t, {machine_.cpus, machine_.gpus, gpu});
  p.seconds = predicted.work;
  p.shared_seconds = predicted.shared;
  p.chain_seconds = predicted.chain;
  p.last_seconds = predicted.last;

  std::lock_guard const lock(mutex_);
  parameters_ = p;
  return std::make_shared<FmmPointSet<T>>(runtime_, this, setup_for(c), blocked, std::make_shared<FmmLanes<T>>(), p,
                                          from, to, same);
}

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::move_points(Points const& before, std::span<T const> sources) {
  if (!before || !before->belongs_to(this) || !before->same())
    throw Error(Fault::bad_input,
                "these points belong to another plan, or have targets of their own; use set_points of this plan");
  expect_points("sources", sources.size());
  if (sources.size() != 3 * before->sources().size())
    throw Error(Fault::bad_input, "there are " + std::to_string(sources.size() / 3) + " points (before there were " +
                                      std::to_string(before->sources().size()) +
                                      ", and moving makes no new ones); use set_points");
  root_of(options_, sources, {});  // for what it refuses
  Tree const& tree = before->tree()->tree();
  auto const rows = placed_rows(options_, {tree.shape.centre, tree.shape.half, tree.shape.aspect}, sources, "source");
  if (!still_fits(tree, std::span<T const>(rows.relative))) return set_points(sources, {}, true);
  return std::make_shared<FmmPointSet<T>>(runtime_, this, before->shared_setup(), before->tree(), before->lanes(),
                                          before->parameters(), rows, PlacedRows<T>(), true);
}

template <class T>
Solve FmmPlan<T>::submit(Points const& points, std::span<T const> strengths, std::span<T> result,
                         std::optional<Trial> const& trial) {
  if (!points || !points->belongs_to(this))
    throw Error(Fault::bad_input,
                "these points belong to another plan (their blocks do not fit this one); use set_points of this plan");
  std::size_t const given = std::size_t(strength_components(options_.kernel)) * points->sources().size();
  int const vectors = std::max(1, int(strengths.size() / given));
  expect_rows("strengths", strengths.size(), points->sources().size(), vectors * strength_components(options_.kernel));
  expect_rows("result", result.size(), points->targets().size(),
              vectors * result_components(options_.kernel, options_.gradient));

  std::lock_guard const lock(mutex_);
  auto state = std::make_shared<SolveState>(runtime_,
                                            std::vector<std::shared_ptr<void const>>{this->shared_from_this(), points});
  auto job =
      FmmJob<T>::make(state, *points, vectors, vectors * fmm_right_hand_sides(options_.kernel), strengths, result);
  state->predict(vectors * predicted_seconds(points->parameters()));
  Graph graph(*state, options_.implementation, trial);
  Solve solve(state);
  try {
    build_fmm_graph(graph, job, options_.kernel, options_.gradient);
  } catch (...) {
    // The tasks that are already submitted return at once; the caller gets this error from submit.
    state->errors().store("submit", 0, "none", std::current_exception());
    state->close();
    throw;
  }
  job.release();
  state->close();
  return solve;
}

template class FmmPlan<double>;
template class FmmPlan<float>;

}  // namespace nearfar::detail
