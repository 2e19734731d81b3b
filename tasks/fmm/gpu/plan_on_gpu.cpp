// SPDX-License-Identifier: BSD-3-Clause
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

}  // namespace

template <class T>
FmmSeconds FmmPlan<T>::seconds(FmmChoice const& c, WorkerKind kind) const {
  return fmm_seconds(options_.kernel, options_.outputs, c.order, machine_, kind, c.near_in_single);
}

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::set_on_gpu(std::span<T const> rows, double room) {
  std::size_t const count = rows.size() / 3;
  if (machine_.gpus != 1 || ranks_.several() || rows.size() % 3 != 0 || options_.capacity.value_or(0) > 0 ||
      deepest_uniform(options_) < 2 || options_.depth.value_or(0) >= BoxCounts::most_levels ||
      !machine_.all_on_gpus(double(count)) || !bears_tasks_for_gpus_alone(runtime_->scheduler()) ||
      !makes_tree_on_gpu<T>(count))
    return nullptr;
  GpuTree<T> made(runtime_, rows);
  auto found = root_in<T>(options_, made.extent());
  if (!found) return nullptr;  // who sets points on the host tells why
  FmmRoot root = *found;
  bool const periodic = options_.periodicity == Periodicity::xyz;
  if (!periodic) root.half *= 1 + room;
  int const level = key_level(), last = last_level(options_, level);
  auto const in = [&](FmmRoot const& r) { return PointsInRoot<T>(options_, r, rows, "source"); };
  made.sort(in(root), level, last);
  if (!options_.depth && !options_.capacity && made.is_uneven()) return nullptr;
  FmmChoice c;
  try {
    c = choose(made.trees(), count, count, {});
  } catch (LeavesOnSeveralLevels const&) {
    return nullptr;
  }
  if (c.capacity > 0 || !c.on_gpu || c.depth < 2 || std::isfinite(grain(c).task)) return nullptr;
  if (c.stretch > 1) {
    root = stretched(root, c.stretch);
    made.sort(in(root), level, last);
  }
  PointsInRoot<T> const points = in(root);
  TreeShape shape = points.shape();
  shape.centre = root.centre;
  shape.depth = c.depth;
  shape.separation = c.separation;
  auto const tree = std::make_shared<FmmTree>(made.make_tables(shape), made.pairs(c.depth));
  FmmParameters const p = parameters_of(*tree, c, root, double(count));
  std::shared_ptr<FmmSetup<T>> setup;
  {
    std::lock_guard const lock(mutex_);
    setup = setup_for(c);
  }
  return put_on_gpu(made, points, tree, setup, std::make_shared<FmmWorkspaces<T>>(), p);
}

template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::put_on_gpu(GpuTree<T>& made, PointsInRoot<T> const& points,
                                                   std::shared_ptr<FmmTree> const& tree,
                                                   std::shared_ptr<FmmSetup<T>> const& setup,
                                                   std::shared_ptr<FmmWorkspaces<T>> const& workspaces,
                                                   FmmParameters const& p) {
  auto const set =
      std::make_shared<FmmPointSet<T>>(runtime_, this, setup, tree, workspaces, p, points, made.in_leaves(points));
  set->set_parts(ranks_.parts(points.size()), ranks_.parts(0), ranks_);
  set->set_placement(placement_of(p.on_gpus, machine_.gpus));
  add_sample(*set, points);
  return set;
}

/// In the same root and on the same level, as long as there are about as many boxes, and leaves are about as even.
template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::move_on_gpu(Points const& before, std::span<T const> rows) {
  constexpr double most_new = 0.25, most_uneven = 1.5, room_for_steps = 0.05;
  auto const anew = [&] {
    if (auto const points = set_on_gpu(rows, room_for_steps)) return points;
    return set_rows(OnHost<T>(rows), {}, true);
  };
  FmmTree const& planned = *before->tree();
  TreeShape const shape = planned.tree().shape;
  GpuTree<T> made(runtime_, rows);
  Extent const extent = made.extent();
  FmmRoot const root{shape.centre, shape.half, shape.aspect, before->unit()};
  if (!root_in<T>(options_, extent) || !holds(root, extent, shape.periodic)) return anew();
  PointsInRoot<T> const points(options_, root, rows, "source");
  int const level = key_level();
  made.sort(points, level, std::max(shape.depth, last_level(options_, level)));
  double const chosen = double(planned.chosen_boxes());
  if (std::abs(double(made.boxes(shape.depth)) - chosen) > most_new * chosen ||
      made.pairs(shape.depth) > most_uneven * planned.chosen_pairs())
    return anew();
  auto const tree = std::make_shared<FmmTree>(made.make_tables(shape), made.pairs(shape.depth), &planned);
  FmmParameters p = before->parameters();
  count_work(*tree, p);
  return put_on_gpu(made, points, tree, before->shared_setup(),
                    tree->has_blocks_of(planned) ? before->workspaces() : std::make_shared<FmmWorkspaces<T>>(), p);
}

#define NEARFAR_INSTANTIATE(T)                                                                                   \
  template FmmSeconds FmmPlan<T>::seconds(FmmChoice const&, WorkerKind) const;                                   \
  template typename FmmPlan<T>::Points FmmPlan<T>::set_on_gpu(std::span<T const>, double);                       \
  template typename FmmPlan<T>::Points FmmPlan<T>::move_on_gpu(Points const&, std::span<T const>);               \
  template typename FmmPlan<T>::Points FmmPlan<T>::put_on_gpu(                                                   \
      GpuTree<T>&, PointsInRoot<T> const&, std::shared_ptr<FmmTree> const&, std::shared_ptr<FmmSetup<T>> const&, \
      std::shared_ptr<FmmWorkspaces<T>> const&, FmmParameters const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
