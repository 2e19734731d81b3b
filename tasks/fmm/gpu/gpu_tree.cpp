// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/gpu/gpu_tree.hpp"

#include "codelets/tree/curve.hpp"
#include "codelets/tree/grow_tree.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/fmm/gpu/run.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace nearfar::detail {

template <class T>
bool makes_tree_on_gpu(std::size_t points) {
  constexpr std::size_t few = 1 << 12, most = std::numeric_limits<std::int32_t>::max();
  return points >= few && points <= most && starpu_worker_get_id() < 0 &&
         !gpu_workers(codelet_of<SortCurve<T>>()).empty();
}

template <class T>
GpuTree<T>::GpuTree(std::shared_ptr<RuntimeState> runtime, std::span<T const> sources,
                    std::optional<std::span<T const>> targets, std::shared_ptr<KeptRoom> room)
    : runtime_(std::move(runtime)), room_(std::move(room)) {
  auto const add = [&](std::span<T const> rows) {
    wait_for_callers_streams(rows);
    sides_.emplace_back().rows = rows;
  };
  add(sources);
  if (targets) add(*targets);
  awake_.begin(runtime_);
  for (Side& side : sides_)
    side.given =
        Data::constant("points", side.rows.data(), std::int64_t(side.rows.size()), {memory_node_of(side.rows.data())});
}

template <class T>
void GpuTree<T>::insert_extent(Graph& graph) {
  extents_.resize(sides_.size() * extent_numbers);
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    auto const to = SolveData::over("extent", &extents_[s * extent_numbers], extent_numbers);
    graph.insert<FindExtent<T>>({sides_[s].points()}, {0, double(sides_[s].points())}, read(sides_[s].given),
                                write(to));
    graph.solve().bring_home(to);
  }
}

template <class T>
Extent GpuTree<T>::extent() {
  if (extents_.empty()) run_and_wait(runtime_, [&](Graph& graph) { insert_extent(graph); });
  Extent extent;
  double const* const found = extents_.data();
  for (std::size_t d = 0; d < 3; ++d) {
    extent.low[d] = found[d];
    extent.high[d] = -found[3 + d];
  }
  extent.finite = found[6] == 1;
  if (same()) return extent;
  double const* const other = found + extent_numbers;
  for (std::size_t d = 0; d < 3; ++d) {
    extent.low[d] = std::min(extent.low[d], other[d]);
    extent.high[d] = std::max(extent.high[d], -other[3 + d]);
  }
  extent.finite = extent.finite && other[6] == 1;
  return extent;
}

template <class T>
void GpuTree<T>::insert_sort(Graph& graph, GivenToGpu<T> const& points, int level, int last, int powers) {
  boxes_.clear();
  level_ = level;
  last_ = last;
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    Side& side = sides_[s];
    std::int64_t const count = side.points();
    side.keys = Data::temporary<MortonKey>("keys", count);
    side.order = Data::temporary<std::uint32_t>("order", count);
    side.counted.resize(3 * (std::size_t(last) + 1) + std::size_t(powers));
    auto const to = SolveData::over("counts of boxes", side.counted.data(), std::int64_t(side.counted.size()));
    PointsInRoot<T> const& in_root = s == 0 ? points.sources : points.targets;
    graph.insert<SortCurve<T>>({in_root.placing(), in_root.shape(), count, level, last, powers}, {0, flops_of(count)},
                               read(side.given), write(std::vector<Handle>{side.keys, side.order}), write(to));
    graph.solve().bring_home(to);
  }
}

template <class T>
void GpuTree<T>::take_counts() {
  std::size_t const numbers = 3 * (std::size_t(last_) + 1);
  for (Side& side : sides_) {
    Occupancy& occupancy = side.occupancy = {};
    for (std::size_t i = 0; i < numbers; i += 3) {
      occupancy.boxes.push_back(double(side.counted[i]));
      occupancy.pairs.push_back(double(side.counted[i + 1]));
      occupancy.siblings.push_back(double(side.counted[i + 2]) / double(side.counted[i]));
    }
    side.crowded.assign(side.counted.begin() + std::ptrdiff_t(numbers), side.counted.end());
  }
}

template <class T>
void GpuTree<T>::sort(GivenToGpu<T> const& points, int level, int last) {
  int const powers = last > 0 ? PartCrowds::most : 0;
  run_and_wait(runtime_, [&](Graph& graph) { insert_sort(graph, points, level, last, powers); });
  take_counts();
}

/// The tree is guessed to be one level deeper than before at most.
template <class T>
void GpuTree<T>::begin(GivenToGpu<T> const& points, int level, TreeShape const& shape, int deepest) {
  int const powers = shape.capacity > 0 ? PartCrowds::most : 0;
  Boxes* made = nullptr;
  MakeBoxesArgs args;
  run_and_wait(runtime_, [&](Graph& graph) {
    insert_extent(graph);
    insert_sort(graph, points, level, 0, powers);
    args = args_of(shape.capacity > 0 ? std::min(shape.depth, deepest + 1) : shape.depth, shape.capacity, all());
    made = &insert_boxes(graph, {shape.depth, shape.capacity, all()}, args);
  });
  take_counts();
  if (args.depth < depth_of(shape.depth, shape.capacity, all())) boxes_.clear();
  else take_boxes(*made, args);
}

template <class T>
std::size_t GpuTree<T>::boxes(TreeShape const& shape) {
  return std::size_t(boxes_of(shape.depth, shape.capacity, all()).counts.all());
}
template <class T>
double GpuTree<T>::pairs_in_leaves(TreeShape const& shape) {
  return double(boxes_of(shape.depth, shape.capacity, all()).numbers.back());
}

template <class T>
MadeOnGpu<T> GpuTree<T>::make(TreeShape const& shape, std::uint32_t few, GivenToGpu<T> const& given) {
  Boxes& boxes = boxes_of(shape.depth, shape.capacity, all());
  constexpr double most_sharing = 1e4;  // points of a leaf, on average over points
  if (same() && double(boxes.numbers.back()) > most_sharing * double(sides_[0].points())) throw NotForGpus();
  BoxCounts counts = boxes.counts;
  counts.separation = shape.separation;
  counts.periodic = shape.periodic;
  BoxesOnGpu on_gpu{counts, handles_of(boxes.data), {}, boxes.numbers, targets(), room_};
  auto const find_near = [&](Graph& graph) {
    if (!knows_near(boxes, shape, few, false)) insert_near(graph, boxes, shape, few, 0);
    on_gpu.near = handles_of(boxes.near.at({shape.separation, shape.periodic}).data);
  };
  std::vector<BlockedPoints<T>> points;
  std::vector<std::vector<std::uint32_t>> twins;
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    points.push_back(room_for_points(on_gpu, s, (s == 0 ? given.sources : given.targets).has_near()));
    twins.emplace_back(std::size_t(points.back().blocks()), 0u);
  }
  MadeOnGpu<T> made{make_tables(runtime_, on_gpu, shape, few, find_near,
                                [&](Graph& graph) {
                                  for (std::size_t s = 0; s < sides_.size(); ++s)
                                    fill(graph, on_gpu, s, s == 0 ? given.sources : given.targets, points[s], twins[s]);
                                }),
                    std::move(points)};
  for (BlockedPoints<T>& of : made.points) of.freeze();
  auto const first = std::ranges::find(twins[0], 1u);
  if (first == twins[0].end()) return made;
  made.points[0].bring_to_host(runtime_);
  made.points[0].expect_distinct(int(first - twins[0].begin()), given.sources.frame(), "source");
  return made;
}

/// In the blocks of the tree, of which inner ones are empty, as are leaves without points of this side.
template <class T>
BlockedPoints<T> GpuTree<T>::room_for_points(BoxesOnGpu const& made, std::size_t side, bool near) const {
  std::vector<BlockSize> sizes;
  for (int l = 0; l <= made.counts.depth; ++l) {
    auto const points = std::int32_t(made.numbers[std::size_t(TakeLevel::numbers * l) + 2 + side]);
    if (made.counts.inner(l) > 0) sizes.push_back({});
    if (made.counts.leaves[l] > 0) sizes.push_back({points, points > 0 ? made.counts.leaves[l] : 0});
  }
  return BlockedPoints<T>::in_runtime(std::move(sizes), {}, near, room_);
}

template <class T>
void GpuTree<T>::fill(Graph& graph, BoxesOnGpu const& made, std::size_t side, PointsInRoot<T> const& given,
                      BlockedPoints<T> const& points, std::vector<std::uint32_t>& twins) const {
  Side const& of = sides_[side];
  int block = 0;
  for (int l = 0; l <= made.counts.depth; ++l) {
    if (made.counts.inner(l) > 0) ++block;
    if (made.counts.leaves[l] == 0) continue;
    if (std::int64_t const here = points.count(block); here > 0) {
      auto const found = SolveData::over("points that coincide", &twins[std::size_t(block)], 1);
      graph.insert<FillLeaves<T>>({given.placing(), of.points(), here, made.counts, l, side > 0, same()},
                                  {0, flops_of(here)}, read(of.given), read(std::vector<Handle>{of.keys, of.order}),
                                  read(made.boxes), read(made.near), write(points.handles(block)), write(found));
      graph.solve().bring_home(found);
    }
    ++block;
  }
}

#define NEARFAR_INSTANTIATE(T)                     \
  template bool makes_tree_on_gpu<T>(std::size_t); \
  template class GpuTree<T>;
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
