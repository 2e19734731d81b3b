// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/plan.hpp"

#include "core/fmm/errors.hpp"
#include "core/fmm/packed.hpp"
#include "core/fmm/softening.hpp"
#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/near_precision.hpp"
#include "tasks/engine/runtime/memory.hpp"
#include "tasks/fmm/graph.hpp"
#include "tasks/fmm/prediction.hpp"
#include "tasks/fmm/tree/root.hpp"
#include "tasks/points/expect.hpp"
#include "tasks/points/worker_loop.hpp"
#include "tasks/tune/machine.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace nearfar::detail {

namespace {

constexpr std::size_t max_points = std::numeric_limits<std::uint32_t>::max();
constexpr int adaptive_level = 16;  // level of the keys of trees with a capacity; at most deepest_level
constexpr double shortest_task = 2e-3, longest_task = 12e-3, fewest_tasks = 64;
/// Of the tolerance, for errors that cancel in forces, but not in a virial: it has what comes across one face of two.
constexpr double left_by_faces = 0.1;
constexpr double boxes_for_lanes = 64;  // boxes per block that fill the lanes of M2L well

/// Bytes of expansions, tables and points.
template <class T>
std::size_t bytes_of(FmmOptions const& options, FmmChoice const& c, double interactions, double points) {
  int const rhs = describe(options.kernel).rhs;
  double const expansions = 2 * c.boxes * double(expansion_size<T>(c.order, rhs, 1)) * sizeof(T);
  int const numbers = strength_components(options.kernel) + 2 * result_components(options.kernel, options.outputs);
  return std::size_t(expansions + interactions * sizeof(Interaction) + c.boxes * 200 +
                     points * (32 + sizeof(T) * (3 + numbers)));
}

void expect_room(std::size_t bytes, FmmChoice const& c) {
  std::string const tree = "a tree of depth " + std::to_string(c.depth) + " with " +
                           std::to_string(std::size_t(c.boxes)) + " boxes and order " + std::to_string(c.order);
  expect_memory(bytes, tree, "take a smaller depth or order, fewer particles, or single precision");
}

void expect_numbered(std::size_t points) {
  if (points > max_points)
    throw Error(Fault::no_resource, "there are " + std::to_string(points) +
                                        " points (they are numbered with 32 bits); give at most " +
                                        std::to_string(max_points) + " at once");
}

/// What the highest order keeps in the cell of these options.
template <class T>
double finest_tolerance(FmmOptions const& options) {
  double finest = std::numeric_limits<double>::infinity();
  for (int separation = 1; separation <= 2; ++separation)
    if (converges(options, separation) && options.well_separation.value_or(separation) == separation)
      finest = std::min(finest, fmm_error(options, highest_fmm_order<T>(), separation));
  return finest;
}

/// Enough tasks to share, but few: each costs the same to submit, M2L of many boxes fills its lanes, and most pairs of
/// P2P are within large blocks.
FmmGrain grain_of(FmmSeconds const& t, FmmChoice const& c, Machine const& machine, int ranks) {
  double const wanted = wanted_tasks(machine.cpus, ranks),
               fills = boxes_for_lanes * interactions_per_box(1) * t.interaction;
  double task =
      std::clamp(std::max(c.seconds / wanted, std::min(fills, c.seconds / fewest_tasks)), shortest_task, longest_task);
  if (machine.gpus > 0) {
    double const blocks = gpu_blocks(machine, c.seconds, c.gpu_seconds, c.on_gpu);
    task = c.on_gpu && blocks == 1 ? std::numeric_limits<double>::infinity() : c.seconds / blocks;
  }
  return {t.interaction, t.pair, t.m2p, t.shift, task, c.on_gpu};
}

/// On the CPU workers of all ranks. Evenly shared work takes no less than its longest chain.
double predicted_seconds(FmmPlanning const& p, Machine const& machine) {
  return std::max(machine.until_last(p.shared_seconds, p.last_seconds), p.chain_seconds);
}

}  // namespace

template <class T>
FmmPlan<T>::FmmPlan(std::shared_ptr<RuntimeState> runtime, FmmOptions const& options,
                    std::optional<Machine> const& given)
    : Base(runtime, given ? Ranks::one() : runtime->ranks(),
           (given ? Ranks::one() : runtime->ranks()).decide([&] { return options; })) {
  check_options<T>(options_);
  machine_ = given ? *given : machine_of<T>(ranks_, runtime_, Method::fmm, options_.implementation, options_.count);
  if (has_faces()) machine_.gpus = 0;  // trees made on GPUs have no lists on the host
  if (options_.softening) options_.near_precision = NearPrecision::double_;
  if (options_.count == 0) return;
  FmmChoice const c = choose_fmm_for_uniform<T>(options_, double(options_.count), machine_);
  FmmPlanning p;
  p.box = options_.box;
  p.order = c.order;
  p.depth = c.depth;
  p.well_separation = c.separation;
  p.near_in_single = c.near_in_single;
  p.estimated_error = c.error;
  p.boxes = std::size_t(c.boxes);
  p.seconds = c.seconds;
  p.bytes = bytes_of<T>(options_, c, c.boxes * interactions_per_box(c.separation), double(options_.count));
  expect_room(p.bytes, c);
  parameters_ = p;
}

template <class T>
FmmPlanning FmmPlan<T>::parameters() const {
  std::lock_guard const lock(mutex_);
  this->expect_parameters(parameters_.has_value(), "FmmOptions");
  return *parameters_;
}

template <class T>
std::shared_ptr<FmmSetup<T>> FmmPlan<T>::setup_for(FmmChoice const& c) {
  if (!setup_ || setup_->order != c.order || setup_->separation != c.separation)
    setup_ = std::make_shared<FmmSetup<T>>(options_, c.order, c.separation);
  return setup_;
}

template <class T>
int FmmPlan<T>::key_level() const {
  return options_.depth ? *options_.depth : adaptive_level;
}

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::set_given(OnHost<T> const& sources, OnHost<T> const& targets, Targets which) {
  if (needs_views(region(), sources) || needs_views(region(), targets)) {
    auto const [from, to] = views_of(ranks_, sources, targets);
    return this->set_views(from, which == Targets::sources ? nullptr : &to);
  }
  Points const made = set_on_gpu(sources.arrays(), of_others(targets, which));
  if (made) find_routes(made, sources, targets);
  return made ? made : set_rows(sources, targets, which);
}

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::set_rows(std::span<T const> sources, std::span<T const> targets,
                                                 Targets which) {
  if (options_.virial) expect_virial_of_sources(which);
  auto const parts = parts_of(ranks_, sources.size(), targets.size(), which);
  expect_numbered(std::max(parts.sources.all(), parts.targets.all()));
  return block_points(root_for(sources, targets, parts), sources, targets, parts, which);
}

template <class T>
GivenPoints<T> FmmPlan<T>::given(std::span<T const> rows, Parts const& parts) const {
  return {rows, ranks_.connected() && !rows.empty() ? parts.first[std::size_t(ranks_.rank())] : 0};
}

template <class T>
FmmRoot FmmPlan<T>::root_for(std::span<T const> sources, std::span<T const> targets, GivenParts const& parts,
                             bool known) const {
  FmmOptions options = options_;
  if (known && options.periodicity == Periodicity::none) options.box = {};
  return root_of(options, ranks_, given(sources, parts.sources), given(targets, parts.targets),
                 worker_loop(runtime_, (sources.size() + targets.size()) / 3));
}

/// Chooses by trees of the points in the smallest root.
template <class T>
FmmChoice FmmPlan<T>::choose(PointTrees const& trees, std::size_t points, std::size_t targets,
                             std::optional<FinerPlan> const& finer) {
  FmmOptions options = options_;
  std::unique_lock lock(finer_mutex_);
  std::optional<FinerPlan> const least = finer ? finer : finer_;
  if (options.softening) options.tolerance *= left_by_softening;
  if (has_faces())
    options.tolerance = std::clamp(finest_tolerance<T>(options), left_by_faces * options.tolerance, options.tolerance);
  lock.unlock();
  if (least) {
    options.order = least->order;
    options.well_separation = least->separation;
  }
  // Pairs in single precision cost a virial the digits of forces that cancel.
  if ((least || options.virial) && options.near_precision == NearPrecision::automatic)
    options.near_precision = NearPrecision::double_;
  FmmChoice c;
  ranks_.together([&] {
    c = choose_fmm<T>(options, trees, key_level(), double(targets), machine_);
    expect_room(bytes_of<T>(options_, c, c.boxes * interactions_per_box(c.separation), double(points)), c);
  });
  if (finer) c.error = finer->error;
  return c;
}

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::block_points(FmmRoot root, std::span<T const> sources,
                                                     std::span<T const> targets, GivenParts const& parts, Targets which,
                                                     std::optional<FinerPlan> const& finer) {
  Loop const loop = worker_loop(runtime_, (sources.size() + targets.size()) / 3);
  auto const given_sources = given(sources, parts.sources), given_targets = given(targets, parts.targets);
  std::optional<SortedPoints<T>> from, to;
  auto const enter = [&] {
    from.emplace(ranks_, PointsInRoot<T>(options_, root, given_sources, "source"), key_level(), loop);
    if (which == Targets::own)
      to.emplace(ranks_, PointsInRoot<T>(options_, root, given_targets, "target"), key_level(), loop);
  };
  enter();
  std::size_t const m = parts.sources.all(), n = which == Targets::sources ? 0 : parts.targets.all();
  KeysAt const keys = [&](int level) -> SortedKeys const& { return (n > m ? to : from)->keys(level); };
  FmmChoice const c = choose(PointTrees(std::max(m, n), keys, loop), m + n, which == Targets::sources ? m : n, finer);
  if (c.stretch > 1) {
    root = stretched(root, c.stretch);
    enter();
  }
  TreeShape shape = from->points().shape();
  shape.centre = root.centre;
  shape.depth = c.depth;
  shape.separation = c.separation;
  shape.capacity = c.capacity;
  FmmInput<T> input{from->points(), which == Targets::sources ? from->points() : to->points(), which, false, parts};
  Tree tree;
  ranks_.together([&] {
    SortedKeys keys = from->take_keys();
    input.distinct = finer || are_distinct(keys, loop);
    tree = make_tree(shape, std::move(keys), which == Targets::sources ? SortedKeys() : to->take_keys(), which, loop);
    if (!ranks_.connected()) return;
    LeafCurve const curve(tree, key_level());
    input.own_sources = in_leaves(curve, from->take_own());
    if (which == Targets::own) input.own_targets = in_leaves(curve, to->take_own());
  });
  return make_points(std::move(tree), c, std::move(input), loop);
}

template <class T>
Machine FmmPlan<T>::machine_for(FmmChoice const& c) const {
  Machine machine = machine_;
  machine.gpus = c.gpus;
  return machine;
}

template <class T>
FmmGrain FmmPlan<T>::grain(FmmChoice const& c) const {
  return grain_of(seconds(c, WorkerKind::cpu), c, machine_for(c), ranks_.count());
}

template <class T>
FmmPlanning FmmPlan<T>::parameters_of(FmmTree const& tree, FmmChoice const& c, FmmRoot const& root, double points) {
  FmmPlanning p;
  for (std::size_t d = 0; d < 3; ++d) p.box[d] = root.unit.callers(2 * root.half * root.aspect[d]);
  p.order = c.order;
  p.capacity = c.capacity;
  p.well_separation = c.separation;
  p.near_in_single = c.near_in_single;
  p.estimated_error = c.error;
  count_work(tree, p);
  bool const only_pairs = p.translations + p.evaluations + p.expansions == 0;
  if (only_pairs && options_.periodicity == Periodicity::none)
    p.estimated_error = c.near_in_single ? single_near_error : 0;
  else p.estimated_error = std::hypot(p.estimated_error, softening_error_of(tree, root, c.separation));
  p.bytes = bytes_of<T>(options_, c, double(p.translations), points);
  FmmPrediction const predicted = predict_fmm(tree, seconds(c, WorkerKind::cpu),
                                              {.cpus = machine_.cpus,
                                               .gpus = c.gpus,
                                               .gpu = seconds(c, WorkerKind::gpu),
                                               .on_gpu = c.on_gpu,
                                               .communication = communication_seconds(tree, c.order)});
  p.on_gpus = c.on_gpu;
  p.seconds = predicted.work;
  p.shared_seconds = predicted.shared;
  p.chain_seconds = predicted.chain;
  p.last_seconds = predicted.last;
  std::lock_guard const lock(mutex_);
  parameters_ = p;
  return p;
}

template <class T>
double FmmPlan<T>::softening_error_of(FmmTree const& tree, FmmRoot const& root, int separation) const {
  if (!options_.softening) return 0;
  double side = 2 * root.half;
  for (int b = 0; b < tree.blocks(); ++b)
    if (tree.block(b).of_leaves) side = std::min(side, 2 * tree.half(b));
  return softening_error_in(options_, root.unit.callers(side), separation);
}

template <class T>
Owners FmmPlan<T>::owners_for(FmmChoice const& c) const {
  if (!ranks_.several()) return {c.on_gpu ? c.gpus : 1};
  return {ranks_.count(), 0, c.on_gpu ? std::max(1, c.gpus / ranks_.count()) : 1};
}

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::make_points(Tree tree, FmmChoice const& c, FmmInput<T> input,
                                                    Loop const& loop) {
  std::shared_ptr<FmmTree> blocked;
  std::shared_ptr<FmmSetup<T>> setup;
  FmmPlanning p;
  ranks_.together([&] {
    auto const few = few_points(seconds(c, WorkerKind::cpu), seconds(c, WorkerKind::gpu), machine_for(c), c.on_gpu);
    blocked = std::make_shared<FmmTree>(std::move(tree), few, grain(c), owners_for(c), loop,
                                        ranks_.connected() ? ranks_.rank() : everywhere);
    TreeBox const& all = blocked->tree().levels[0][0];
    p = parameters_of(*blocked, c, input.sources.root(),
                      double(all.sources() + (input.which == Targets::sources ? 0 : all.targets())));
    std::lock_guard const lock(mutex_);
    setup = setup_for(c);
  });
  return points_in(blocked, setup, std::make_shared<FmmWorkspaces<T>>(), p, std::move(input), loop);
}

template <class T>
double FmmPlan<T>::communication_seconds(FmmTree const& tree, int order) const {
  if (!ranks_.several()) return 0;
  int const rhs = describe(options_.kernel).rhs, strengths = strength_components(options_.kernel);
  return fmm_communication_seconds(
      communication_of(tree, ranks_.count(), double(expansion_size<T>(order, rhs, 1)) * sizeof(T),
                       double(strengths) * sizeof(T)),
      machine_);
}

/// Puts the plan's points into the blocks of a tree that was made for them.
template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::points_in(std::shared_ptr<FmmTree> const& tree,
                                                  std::shared_ptr<FmmSetup<T>> const& setup,
                                                  std::shared_ptr<FmmWorkspaces<T>> const& workspaces,
                                                  FmmPlanning const& p, FmmInput<T> input, Loop const& loop) {
  PointsInRoot<T> const sources = input.sources, targets = input.targets;
  bool const apart = input.which == Targets::own;
  Points points;
  if (ranks_.connected()) {
    std::optional<LeafCurve> curve;
    ranks_.together([&] {
      points = std::make_shared<FmmPointSet<T>>(runtime_, this, setup, tree, workspaces, p, input.sources);
      curve.emplace(tree->tree(), key_level());
    });
    points->deal(ranks_, std::move(input), *curve, key_level(), loop);
  } else {
    points = std::make_shared<FmmPointSet<T>>(runtime_, this, setup, tree, workspaces, p, input.sources, input.targets,
                                              input.which, input.distinct, loop);
    points->set_parts(input.parts.sources, input.parts.targets, ranks_);
  }
  points->set_placement(placement_of(p.on_gpus, machine_.gpus));
  if (has_faces()) points->set_faces(std::make_shared<FaceTables>(*tree));
  auto const rows = [](PointsInRoot<T> const& given) { return RowsInRoot<T>{given, given.rows()}; };
  add_sample(*points, rows(targets), apart ? std::optional(rows(sources)) : std::nullopt);
  return points;
}

/// Reviews take a budget of the time of solves; one that repeats a solve is always made, and so is the first of points
/// that were set or have moved far: no other sum tells how weak their field is.
template <class T>
bool FmmPlan<T>::is_reviewed(Submitted& s) {
  auto const* const sample = s.points->sample();
  if (sample == nullptr || s.trial) return false;
  // On a GPU the host also waits, by far the longest part of reviews of small solves.
  bool const on_gpu = s.points->all_on_gpus();
  double const solve = on_gpu ? predicted(s) : s.vectors * s.points->parameters().seconds,
               check = s.vectors * sample->seconds() + (on_gpu ? gpu_constants.multipole_review : 0);
  seconds_to_check_ += share_of_solve * solve;
  if (!s.again && seconds_to_check_ < 0 && s.points->reviewed()) return false;
  seconds_to_check_ -= check;
  s.points->set_reviewed();
  s.checked = std::make_shared<std::vector<double>>();
  return true;
}

template <class T>
double FmmPlan<T>::predicted(Submitted const& s) const {
  double const as_tasks = s.vectors * predicted_seconds(s.points->parameters(), machine_);
  if (!this->suits_chain(*s.points)) return as_tasks;
  return chain_seconds(as_tasks, 0, gpu_short_task, s.vectors * gpu_start, gpu_constants.multipole_chain);
}

template <class T>
void FmmPlan<T>::build(Graph& graph, Submitted const& s, SolveArrays<T> const& arrays) const {
  FmmPointSet<T> const& points = *s.points;
  this->chain(graph, s.points, captured_, points.parameters().bytes);
  FmmStages const stages = fmm_stages<T>(options_.kernel, options_.outputs, points.parameters().near_in_single);
  KernelDescription const& kernel = describe(options_.kernel, options_.outputs);
  bool const has_energy = s.has_energy(kernel);
  EnergyJob energy = has_energy ? fmm_energy_job(graph.solve(), points, options_.virial) : EnergyJob();
  auto const job = make_fmm_job(graph.solve(), points, s.vectors, stages, arrays, std::move(energy));
  build_fmm_graph(graph, job, stages);
  SolveData sums;
  if (s.rows) {
    CheckedRows const strengths{has_energy ? kernel.strengths : 0, -1},
        results{asked_results(kernel, options_.outputs).numbers, -1};
    sums = s.rows->build(graph, job.solve, {strengths, results});
  }
  if (s.checked) build_check(graph, job, stages, options_, s.checked);
  graph.submit_chain();
  bring_energies_home(graph.solve(), job.solve.energy);
  bring_sums_home(graph.solve(), sums);
}

template class FmmPlan<double>;
template class FmmPlan<float>;

}  // namespace nearfar::detail
