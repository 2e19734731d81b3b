// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/gpu/gpu_tree.hpp"

#include "codelets/tree/curve.hpp"
#include "codelets/tree/grow_tree.hpp"
#include "codelets/tree/radix_team.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/fmm/gpu/run.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace nearfar::detail {

namespace {

constexpr int no_depth = -1;  ///< up to which uniform trees are looked at

}  // namespace

template <class T>
bool makes_tree_on_gpu(std::size_t points) {
  constexpr std::size_t few = 1 << 12, most = std::numeric_limits<std::int32_t>::max();
  // The caller's points, those in leaves, keys and numbers of sorting, and what is made of boxes: all on one GPU, also
  // where several share the sum.
  constexpr double bytes = 9 * sizeof(T) + 80, most_of_memory = 0.5;
  auto const gpus = gpu_workers(codelet_of<SortCurve<T>>());
  return points >= few && points <= most && starpu_worker_get_id() < 0 && !gpus.empty() &&
         bytes * double(points) < most_of_memory * double(gpu_memory(gpus));
}

template <class T>
GpuTree<T>::GpuTree(std::shared_ptr<RuntimeState> runtime, GivenArrays<T const> const& sources,
                    std::optional<GivenArrays<T const>> const& targets, std::shared_ptr<KeptRoom> room)
    : runtime_(std::move(runtime)), room_(std::move(room)) {
  auto const wait = [](GivenArrays<T const> const& given) {
    for (auto const array : given.all()) wait_for_callers_streams(array);
  };
  wait(sources);
  if (targets) wait(*targets);
  awake_.begin(runtime_);
  auto const add = [&](GivenArrays<T const> const& given) {
    Side& side = sides_.emplace_back();
    for (auto const array : given.all()) {
      if (array.empty()) continue;
      side.cut.first[side.given.size()] = std::uint32_t(side.points);
      side.given.push_back(
          Data::constant("points", array.data(), std::int64_t(array.size()), {memory_node_of(array.data())}));
      side.points += std::int64_t(array.size() / 3);
    }
    if (side.given.size() > 1) side.cut.length = RowCut::uneven;
  };
  add(sources);
  if (targets) add(*targets);
}

template <class T>
void GpuTree<T>::insert_extent(Graph& graph) {
  extents_.resize(sides_.size() * extent_numbers);
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    auto const to = SolveData::over("extent", &extents_[s * extent_numbers], extent_numbers);
    graph.insert<FindExtent<T>>({sides_[s].points, sides_[s].cut}, {0, double(sides_[s].points)},
                                read(handles_of(sides_[s].given)), write(to));
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
  powers_ = powers;
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    Side& side = sides_[s];
    std::int64_t const count = side.points;
    side.keys = Data::temporary<MortonKey>("keys", count);
    side.order = Data::temporary<std::uint32_t>("order", count);
    side.occupancy = {};  // that of another root, where levels may have fewer boxes
    side.counted.resize(std::size_t(std::max(1, 3 * (last + 1) + powers)));
    auto const to = SolveData::over("counts of boxes", side.counted.data(), std::int64_t(side.counted.size()));
    PointsInRoot<T> const& in_root = s == 0 ? points.sources : points.targets;
    graph.insert<SortCurve<T>>({in_root.placing(), in_root.shape(), count, level, last, powers, side.cut},
                               {0, flops_of(count)}, read(handles_of(side.given)),
                               write(std::vector<Handle>{side.keys, side.order}), write(to));
    graph.solve().bring_home(to);
  }
}

template <class T>
void GpuTree<T>::take_counts() {
  auto const numbers = std::size_t(3 * (last_ + 1));
  for (Side& side : sides_) {
    Occupancy& occupancy = side.occupancy = {};
    for (std::size_t i = 0; i < numbers; i += 3) {
      occupancy.boxes.push_back(double(side.counted[i]));
      occupancy.pairs.push_back(double(side.counted[i + 1]));
      occupancy.siblings.push_back(double(side.counted[i + 2]) / double(side.counted[i]));
    }
    auto const crowded = side.counted.begin() + std::ptrdiff_t(numbers);
    side.crowded.assign(crowded, crowded + powers_);
  }
}

template <class T>
void GpuTree<T>::sort(GivenToGpu<T> const& points, int level, int last) {
  int const powers = last > 0 ? CrowdsAtPoint::most : 0;
  run_and_wait(runtime_, [&](Graph& graph) { insert_sort(graph, points, level, last, powers); });
  take_counts();
}

template <class T>
void GpuTree<T>::begin(GivenToGpu<T> const& points, int level, TreeShape const& shape, int deepest) {
  int const powers = shape.capacity > 0 ? CrowdsAtPoint::most : 0, depth = std::min(shape.depth, deepest);
  Boxes* made = nullptr;
  run_and_wait(runtime_, [&](Graph& graph) {
    if (extents_.empty()) insert_extent(graph);
    insert_sort(graph, points, level, no_depth, powers);
    made = &insert_boxes(graph, {shape.depth, shape.capacity, all()}, args_of(depth, shape.capacity, all()));
  });
  take_counts();
  if (depth >= depth_of(shape.depth, shape.capacity, all())) {
    if (!take_boxes(*made)) throw NotForGpus();
    return;
  }
  boxes_.clear();
  if (level == shape.depth) return;
  run_and_wait(runtime_, [&](Graph& graph) { insert_sort(graph, points, shape.depth, no_depth, powers); });
  take_counts();
}
template <class T>
int GpuTree<T>::level_for(int depth) {
  return RadixPass::deepest_level(depth);
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
MadeOnGpu<T> GpuTree<T>::make(TreeShape const& shape, std::uint32_t few, GivenToGpu<T> const& given,
                              Parted const& parted) {
  Boxes& boxes = boxes_of(shape.depth, shape.capacity, all());
  constexpr double most_sharing = 1e4;  // points of a leaf, on average over points
  if (same() && double(boxes.numbers.back()) > most_sharing * double(sides_[0].points)) throw NotForGpus();
  BoxesOnGpu on_gpu{boxes.counts, {}, handles_of(boxes.data), {}, targets(), room_};
  on_gpu.counts.separation = shape.separation;
  on_gpu.counts.periodic = shape.periodic;
  on_gpu.counts.parts = parted.parts;
  GpuTables tree{shape, parted, double(boxes.numbers.back()), {}, room_};
  if (parted.parts > 1) {  // the sizes of parts are needed before anything is made for them
    run_and_wait(runtime_, [&](Graph& graph) { insert_near(graph, boxes, shape, few, 0, parted); });
    auto const& found = boxes.near.at({shape.separation, shape.periodic}).sample;
    PartNumbers const numbers = PartNumbers::of(on_gpu.counts);
    on_gpu.parts = numbers.begins(found.data());
    std::copy_n(found.begin(), numbers.others, tree.parted.wanted.begin);
    tree.parted.wanted.known = true;
  }
  auto const find_near = [&](Graph& graph) {
    if (!knows_near(boxes, shape, few, false)) insert_near(graph, boxes, shape, few, 0);
    on_gpu.near = handles_of(boxes.near.at({shape.separation, shape.periodic}).data);
  };
  std::vector<BlockedPoints<T>> points;
  std::vector<std::vector<std::uint32_t>> twins;
  auto const fill_leaves = [&](Graph& graph, GpuTables const& blocks) {
    for (std::size_t s = 0; s < sides_.size(); ++s) {
      PointsInRoot<T> const& in_root = s == 0 ? given.sources : given.targets;
      points.push_back(room_for_points(blocks, s, in_root.has_near()));
      twins.emplace_back();
    }
    for (std::size_t s = 0; s < sides_.size(); ++s)
      fill(graph, on_gpu, blocks, s, s == 0 ? given.sources : given.targets, points[s], twins[s]);
  };
  MadeOnGpu<T> made{make_tables(runtime_, on_gpu, std::move(tree), few, find_near, fill_leaves), std::move(points)};
  for (BlockedPoints<T>& of : made.points) of.freeze();
  if (std::ranges::find(twins[0], 1u) == twins[0].end()) return made;
  made.points[0].bring_to_host(runtime_);
  for (int b = 0; b < made.points[0].blocks(); ++b)
    if (made.points[0].count(b) > 0) made.points[0].expect_distinct(b, given.sources.frame(), "source");
  return made;
}

/// In the blocks of the tree, of which inner ones are empty, as are leaves without points of this side.
template <class T>
BlockedPoints<T> GpuTree<T>::room_for_points(GpuTables const& tree, std::size_t side, bool near) const {
  std::vector<BlockSize> sizes;
  for (GpuBlock const& block : tree.blocks) {
    auto const points = std::int32_t(side == 0 ? block.sources : block.targets);
    if (block.block.of_leaves) sizes.push_back({points, points > 0 ? block.boxes : 0});
    else sizes.push_back({});
  }
  return BlockedPoints<T>::in_runtime(std::move(sizes), {}, near, room_);
}

/// A task for each part.
template <class T>
void GpuTree<T>::fill(Graph& graph, BoxesOnGpu const& made, GpuTables const& tree, std::size_t side,
                      PointsInRoot<T> const& given, BlockedPoints<T> const& points,
                      std::vector<std::uint32_t>& twins) const {
  Side const& of = sides_[side];
  BoxTree const outline = outline_of(made.counts, made.parts);
  twins.assign(std::size_t(points.blocks()), 0);
  std::size_t first = 0;  // of the part
  for (int part = 0; part < made.counts.parts; ++part) {
    FillLeavesArgs args{.place = given.placing(),
                        .points = of.points,
                        .counts = made.counts,
                        .targets = side > 0,
                        .find_twins = same(),
                        .cut = of.cut};
    std::vector<Handle> filled;
    std::int64_t all = 0;
    for (int b = 0; b < points.blocks(); ++b) {
      BoxBlock const& block = tree.blocks[std::size_t(b)].block;
      if (block.part != part || points.count(b) == 0) continue;
      args.block[args.blocks++] = {points.count(b), outline.begin(block)};
      for (Handle const handle : points.handles(b)) filled.push_back(handle);
      all += points.count(b);
    }
    if (args.blocks == 0) continue;
    auto const found = SolveData::over("points that coincide", &twins[first], args.blocks);
    first += std::size_t(args.blocks);
    graph.insert<FillLeaves<T>>(args, {0, flops_of(all)}, read(handles_of(of.given)),
                                read(std::vector<Handle>{of.keys, of.order}), read(made.boxes), read(made.near),
                                write(filled), write(found));
    graph.solve().bring_home(found);
  }
}

#define NEARFAR_INSTANTIATE(T)                     \
  template bool makes_tree_on_gpu<T>(std::size_t); \
  template class GpuTree<T>;
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
