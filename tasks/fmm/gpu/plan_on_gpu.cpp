// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/fmm/costs.hpp"
#include "schedulers/profiles.hpp"
#include "tasks/fmm/plan.hpp"
#include "tasks/fmm/prediction.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar::detail {

namespace {

constexpr int nothing_counted = 0;  ///< of uniform trees below the root, where none is chosen

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

template <class T>
GivenToGpu<T> FmmPlan<T>::in_root(FmmRoot const& root, std::span<T const> sources,
                                  std::optional<std::span<T const>> const& targets) const {
  PointsInRoot<T> const from(options_, root, sources, "source");
  return {from, targets ? PointsInRoot<T>(options_, root, *targets, "target") : from};
}

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::set_on_gpu(std::span<T const> sources,
                                                   std::optional<std::span<T const>> const& targets, double room,
                                                   std::optional<FinerPlan> const& finer) {
  std::size_t const m = sources.size() / 3, n = targets ? targets->size() / 3 : m;
  if (machine_.for_points(double(std::max(m, n))).gpus != 1 || ranks_.several() || sources.size() % 3 != 0 ||
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
    made.sort(in_root(root, sources, targets), level, last);
    FmmChoice const c = choose(made.trees(), targets ? m + n : m, n, finer);
    if (!c.on_gpu || c.depth < 2 || std::isfinite(grain(c).task)) return nullptr;
    if (c.stretch > 1) {
      root = stretched(root, c.stretch);
      made.sort(in_root(root, sources, targets), level, nothing_counted);
    }
    GivenToGpu<T> const points = in_root(root, sources, targets);
    TreeShape shape = points.sources.shape();
    shape.centre = root.centre;
    shape.depth = c.depth;
    shape.separation = c.separation;
    shape.capacity = c.capacity;
    auto const few = few_points(seconds(c, WorkerKind::cpu), seconds(c, WorkerKind::gpu), machine_for(c), c.on_gpu);
    auto in_tree = made.make(shape, few, points);
    if (in_tree.tables.blocks.back().block.level < 2) return nullptr;
    auto const tree = std::make_shared<FmmTree>(std::move(in_tree.tables), few);
    FmmPlanning const p = parameters_of(*tree, c, root, double(targets ? m + n : m));
    std::shared_ptr<FmmSetup<T>> setup;
    {
      std::lock_guard const lock(mutex_);
      setup = setup_for(c);
    }
    return put_on_gpu(points, std::move(in_tree.points), tree, setup, std::make_shared<FmmWorkspaces<T>>(), p);
  } catch (NotForGpus const&) {
    return nullptr;
  }
}

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::put_on_gpu(GivenToGpu<T> const& given, std::vector<BlockedPoints<T>> in_leaves,
                                                   std::shared_ptr<FmmTree> const& tree,
                                                   std::shared_ptr<FmmSetup<T>> const& setup,
                                                   std::shared_ptr<FmmWorkspaces<T>> const& workspaces,
                                                   FmmPlanning const& p) {
  bool const same = in_leaves.size() == 1;
  auto const set =
      std::make_shared<FmmPointSet<T>>(runtime_, this, setup, tree, workspaces, p, given.sources, std::move(in_leaves));
  set->set_parts(ranks_.parts(given.sources.size()), ranks_.parts(same ? 0 : given.targets.size()), ranks_);
  set->set_placement(placement_of(p.on_gpus, machine_.gpus));
  add_sample(*set, given.targets);
  return set;
}

/// In the same root, with boxes that are divided as before, as long as there are about as many, and leaves on one level
/// are about as even.
template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::move_on_gpu(Points const& before, std::span<T const> sources,
                                                    std::optional<std::span<T const>> const& targets) {
  constexpr double most_new = 0.25, most_uneven = 1.5;
  auto const anew = [&] {
    if (auto const points = set_on_gpu(sources, targets, room_for_steps)) return points;
    OnHost<T> const from(sources), to(targets.value_or(std::span<T const>()));
    return set_rows(from, to, targets ? Targets::own : Targets::sources);
  };
  FmmTree const& planned = *before->tree();
  TreeShape const shape = planned.tree().shape;
  try {
    FmmRoot const root{shape.centre, shape.half, shape.aspect, before->unit()};
    GivenToGpu<T> const points = in_root(root, sources, targets);
    GpuTree<T> made(runtime_, sources, targets, rooms_.take((sources.size() + (targets ? targets->size() : 0)) / 3));
    made.begin(points, key_level(), shape, depth_of(planned));
    Extent const extent = made.extent();
    if (!root_in<T>(options_, extent) || !holds(root, extent, shape.periodic)) return anew();
    double const chosen = double(planned.chosen_boxes());
    if (std::abs(double(made.boxes(shape)) - chosen) > most_new * chosen ||
        (shape.capacity == 0 && made.pairs_in_leaves(shape) > most_uneven * planned.chosen_pairs()))
      return anew();
    auto in_tree = made.make(shape, planned.few(), points);
    if (in_tree.tables.blocks.back().block.level < 2) return anew();
    auto const tree = std::make_shared<FmmTree>(std::move(in_tree.tables), planned.few(), &planned);
    FmmPlanning p = before->parameters();
    count_work(*tree, p);
    softening_error_of(*tree, root, p.well_separation);
    return put_on_gpu(points, std::move(in_tree.points), tree, before->shared_setup(),
                      tree->has_blocks_of(planned) ? before->workspaces() : std::make_shared<FmmWorkspaces<T>>(), p);
  } catch (NotForGpus const&) {
    return anew();
  }
}

#define NEARFAR_INSTANTIATE(T)                                                                                \
  template FmmSeconds FmmPlan<T>::seconds(FmmChoice const&, WorkerKind) const;                                \
  template typename FmmPlan<T>::Points FmmPlan<T>::set_on_gpu(                                                \
      std::span<T const>, std::optional<std::span<T const>> const&, double, std::optional<FinerPlan> const&); \
  template typename FmmPlan<T>::Points FmmPlan<T>::move_on_gpu(Points const&, std::span<T const>,             \
                                                               std::optional<std::span<T const>> const&);     \
  template typename FmmPlan<T>::Points FmmPlan<T>::put_on_gpu(                                                \
      GivenToGpu<T> const&, std::vector<BlockedPoints<T>>, std::shared_ptr<FmmTree> const&,                   \
      std::shared_ptr<FmmSetup<T>> const&, std::shared_ptr<FmmWorkspaces<T>> const&, FmmPlanning const&);     \
  template GivenToGpu<T> FmmPlan<T>::in_root(FmmRoot const&, std::span<T const>,                              \
                                             std::optional<std::span<T const>> const&) const;
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
