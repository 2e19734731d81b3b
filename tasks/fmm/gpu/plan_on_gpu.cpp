// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/fmm/costs.hpp"
#include "schedulers/profiles.hpp"
#include "tasks/fmm/plan.hpp"
#include "tasks/fmm/prediction.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar::detail {

namespace {

int last_level(FmmOptions const& options, int level) { return std::min(deepest_uniform(options), level); }

/// Whether a root holds all points of this extent.
bool holds(FmmRoot const& root, Extent const& extent, bool periodic) {
  for (std::size_t d = 0; d < 3 && !periodic; ++d) {
    double const half = root.half * root.aspect[d];
    if (root.unit.ours(extent.low[d]) < root.centre[d] - half || root.unit.ours(extent.high[d]) > root.centre[d] + half)
      return false;
  }
  return true;
}

int depth_of(FmmTree const& tree) {
  int depth = 0;
  for (int b = 0; b < tree.blocks(); ++b) depth = std::max(depth, tree.block(b).level);
  return depth;
}

}  // namespace

template <class T>
FmmSeconds FmmPlan<T>::seconds(FmmChoice const& c, WorkerKind kind) const {
  return fmm_seconds(options_.kernel, options_.outputs, c.order, machine_for(c), kind, c.near_in_single);
}

/// Whether a solve is so long that the host cuts it into more blocks, so that some can leave the memory of their GPU.
template <class T>
bool FmmPlan<T>::leaves_memory(FmmChoice const& c) const {
  Machine one = machine_for(c);
  one.gpus = 1;
  return gpu_blocks(one, c.seconds, c.gpu_seconds / std::max(1, c.gpus), c.on_gpu) > 1;
}

/// One part for each GPU, so that it has one task for each stage of a level, though it reads the blocks of others
/// whole. The host cuts more, but in uniform sums each block of an eighth of all boxes is read by all others anyway.
template <class T>
Parted FmmPlan<T>::parted_for(FmmChoice const& c) const {
  constexpr double few_boxes = 1024, of_all = 1.0 / 64;
  FmmSeconds const t = seconds(c, WorkerKind::gpu);
  PartsWanted wanted;
  wanted.pair = t.pair;
  wanted.point = (t.source + t.target) / 2;
  wanted.leaf = interactions_per_box(c.separation) * t.interaction + 2 * t.shift;
  wanted.least = std::int32_t(std::min(few_boxes, of_all * c.boxes));
  return {owners_for(c).count, wanted};
}

template <class T>
GivenToGpu<T> FmmPlan<T>::in_root(FmmRoot const& root, Targets which) const {
  PointsInRoot<T> const from(options_, root, std::span<T const>(), "source");
  return {from, which == Targets::own ? PointsInRoot<T>(options_, root, std::span<T const>(), "target") : from};
}

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::set_on_gpu(GivenArrays<T const> const& sources,
                                                   std::optional<GivenArrays<T const>> const& targets, double room,
                                                   std::optional<FinerPlan> const& finer) {
  std::size_t const m = sources.size() / 3, n = targets ? targets->size() / 3 : m;
  Targets const which = targets ? Targets::own : Targets::sources;
  int const gpus = machine_.for_points(double(std::max(m, n))).gpus;
  if (gpus < 1 || gpus > BoxCounts::most_parts || ranks_.several() || sources.size() % 3 != 0 ||
      (targets && (targets->size() % 3 != 0 || options_.virial)) || deepest_uniform(options_) < 2 ||
      options_.depth.value_or(0) >= BoxCounts::most_levels || !machine_.all_on_gpus(double(n)) ||
      !bears_tasks_for_gpus_alone(runtime_->scheduler()) || !makes_tree_on_gpu<T>(std::min(m, n)) ||
      !makes_tree_on_gpu<T>(std::max(m, n)))
    return nullptr;
  try {
    GpuTree<T> made(runtime_, sources, targets, rooms_.take(m + (targets ? n : 0)));
    auto found = root_in<T>(options_, made.extent());
    if (!found) return nullptr;  // who sets points on the host tells why
    FmmRoot root = *found;
    if (options_.periodicity != Periodicity::xyz) root.half *= 1 + room;
    int const level = key_level(), last = last_level(options_, level);
    made.sort(in_root(root, which), level, last);
    FmmChoice const c = choose(made.trees(), targets ? m + n : m, n, finer);
    if (!c.on_gpu || c.depth < 2 || leaves_memory(c)) return nullptr;
    if (c.stretch > 1) root = stretched(root, c.stretch);
    GivenToGpu<T> const points = in_root(root, which);
    TreeShape shape = points.sources.shape();
    shape.centre = root.centre;
    shape.depth = c.depth;
    shape.separation = c.separation;
    shape.capacity = c.capacity;
    if (c.stretch > 1) made.begin(points, level, shape, shape.depth);
    auto const few = few_points(seconds(c, WorkerKind::cpu), seconds(c, WorkerKind::gpu), machine_for(c), c.on_gpu);
    auto in_tree = made.make(shape, few, points, parted_for(c));
    if (in_tree.tables.blocks.back().block.level < 2) return nullptr;
    auto const tree = std::make_shared<FmmTree>(std::move(in_tree.tables), few);
    FmmPlanning const p = parameters_of(*tree, c, root, double(targets ? m + n : m));
    std::shared_ptr<FmmSetup<T>> setup;
    {
      std::lock_guard const lock(mutex_);
      setup = setup_for(c);
    }
    return put_on_gpu(points, sources, targets, std::move(in_tree.points), tree, setup,
                      std::make_shared<FmmWorkspaces<T>>(), p);
  } catch (NotForGpus const&) {
    return nullptr;
  }
}

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::put_on_gpu(GivenToGpu<T> const& given, GivenArrays<T const> const& sources,
                                                   std::optional<GivenArrays<T const>> const& targets,
                                                   std::vector<BlockedPoints<T>> in_leaves,
                                                   std::shared_ptr<FmmTree> const& tree,
                                                   std::shared_ptr<FmmSetup<T>> const& setup,
                                                   std::shared_ptr<FmmWorkspaces<T>> const& workspaces,
                                                   FmmPlanning const& p) {
  std::size_t const own_targets = in_leaves.size() > 1 ? in_leaves[1].size() : 0;
  auto const set =
      std::make_shared<FmmPointSet<T>>(runtime_, this, setup, tree, workspaces, p, given.sources, std::move(in_leaves));
  set->set_parts(ranks_.parts(set->sources().size()), ranks_.parts(own_targets), ranks_);
  set->set_placement(placement_of(p.on_gpus, machine_.gpus));
  RowsInRoot<T> const from{given.sources, sources};
  if (targets) add_sample(*set, {given.targets, *targets}, from);
  else add_sample(*set, from, {});
  return set;
}

/// Which strengths and results go where, if several GPUs share the sum: most likely these lie as the points do.
template <class T>
void FmmPlan<T>::find_routes(Points const& points, OnHost<T> const& sources, OnHost<T> const& targets) {
  int const gpus = points->gpus();
  if (gpus > 1)
    points->find_routes(cut_for_gpus(sources.arrays(), 3, gpus, "sources are"),
                        cut_for_gpus((points->same() ? sources : targets).arrays(), 3, gpus, "targets are"));
}

/// In the same root, with boxes that are divided as before, as long as there are about as many, and leaves on one level
/// are about as even.
template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::move_on_gpu(Points const& before, GivenArrays<T const> const& sources,
                                                    std::optional<GivenArrays<T const>> const& targets) {
  constexpr double most_new = 0.25, most_uneven = 1.5;
  Targets const which = targets ? Targets::own : Targets::sources;
  auto const anew = [&] {
    if (auto const points = set_on_gpu(sources, targets, room_for_steps)) return points;
    OnHost<T> const from(sources), to(targets.value_or(GivenArrays<T const>()));
    return set_rows(from, to, which);
  };
  FmmTree const& planned = *before->tree();
  TreeShape const shape = planned.tree().shape;
  try {
    FmmRoot const root{shape.centre, shape.half, shape.aspect, before->unit()};
    GivenToGpu<T> const points = in_root(root, which);
    GpuTree<T> made(runtime_, sources, targets, rooms_.take((sources.size() + (targets ? targets->size() : 0)) / 3));
    int const deepest = shape.capacity > 0 ? std::min(shape.depth, depth_of(planned) + 1) : shape.depth;
    made.begin(points, std::min(key_level(), GpuTree<T>::level_for(deepest)), shape, deepest);
    Extent const extent = made.extent();
    if (!root_in<T>(options_, extent) || !holds(root, extent, shape.periodic)) return anew();
    double const chosen = double(planned.chosen_boxes());
    if (std::abs(double(made.boxes(shape)) - chosen) > most_new * chosen ||
        (shape.capacity == 0 && made.pairs_in_leaves(shape) > most_uneven * planned.chosen_pairs()))
      return anew();
    auto in_tree = made.make(shape, planned.few(), points, planned.parted());
    if (in_tree.tables.blocks.back().block.level < 2) return anew();
    auto const tree = std::make_shared<FmmTree>(std::move(in_tree.tables), planned.few(), &planned);
    FmmPlanning p = before->parameters();
    count_work(*tree, p);
    softening_error_of(*tree, root, p.well_separation);
    return put_on_gpu(points, sources, targets, std::move(in_tree.points), tree, before->shared_setup(),
                      tree->has_blocks_of(planned) ? before->workspaces() : std::make_shared<FmmWorkspaces<T>>(), p);
  } catch (NotForGpus const&) {
    return anew();
  }
}

#define NEARFAR_INSTANTIATE(T)                                                                                    \
  template FmmSeconds FmmPlan<T>::seconds(FmmChoice const&, WorkerKind) const;                                    \
  template void FmmPlan<T>::find_routes(Points const&, OnHost<T> const&, OnHost<T> const&);                       \
  template typename FmmPlan<T>::Points FmmPlan<T>::set_on_gpu(GivenArrays<T const> const&,                        \
                                                              std::optional<GivenArrays<T const>> const&, double, \
                                                              std::optional<FinerPlan> const&);                   \
  template typename FmmPlan<T>::Points FmmPlan<T>::move_on_gpu(Points const&, GivenArrays<T const> const&,        \
                                                               std::optional<GivenArrays<T const>> const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
