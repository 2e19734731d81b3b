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
                    std::optional<std::span<T const>> targets)
    : runtime_(std::move(runtime)) {
  auto const add = [&](std::span<T const> rows) {
    wait_for_callers_streams(rows);
    sides_.push_back({rows, {}, {}, {}, {}});
  };
  add(sources);
  if (targets) add(*targets);
  awake_.begin(runtime_);
  for (Side& side : sides_)
    side.given =
        Data::constant("points", side.rows.data(), std::int64_t(side.rows.size()), {memory_node_of(side.rows.data())});
}

template <class T>
Extent GpuTree<T>::extent() {
  std::vector<double> found(sides_.size() * extent_numbers);
  run_and_wait(runtime_, [&](Graph& graph) {
    for (std::size_t s = 0; s < sides_.size(); ++s) {
      auto const to = SolveData::over("extent", &found[s * extent_numbers], extent_numbers);
      graph.insert<FindExtent<T>>({sides_[s].points()}, {0, double(sides_[s].points())}, read(sides_[s].given),
                                  write(to));
      graph.solve().bring_home(to);
    }
  });
  Extent extent;
  for (std::size_t d = 0; d < 3; ++d) {
    extent.low[d] = found[d];
    extent.high[d] = -found[3 + d];
  }
  extent.finite = found[6] == 1;
  if (same()) return extent;
  double const* const other = &found[extent_numbers];
  for (std::size_t d = 0; d < 3; ++d) {
    extent.low[d] = std::min(extent.low[d], other[d]);
    extent.high[d] = std::max(extent.high[d], -other[3 + d]);
  }
  extent.finite = extent.finite && other[6] == 1;
  return extent;
}

template <class T>
void GpuTree<T>::sort(GivenToGpu<T> const& points, int level, int last) {
  boxes_.clear();
  level_ = level;
  last_ = last;
  std::size_t const numbers = 3 * (std::size_t(last) + 1);
  std::vector<std::uint64_t> counted(sides_.size() * numbers);
  run_and_wait(runtime_, [&](Graph& graph) {
    for (std::size_t s = 0; s < sides_.size(); ++s) {
      Side& side = sides_[s];
      std::int64_t const count = side.points();
      side.keys = Data::temporary<MortonKey>("keys", count);
      side.order = Data::temporary<std::uint32_t>("order", count);
      auto const to = SolveData::over("counts of boxes", &counted[s * numbers], std::int64_t(numbers));
      PointsInRoot<T> const& in_root = s == 0 ? points.sources : points.targets;
      graph.insert<SortCurve<T>>({in_root.placing(), in_root.shape(), count, level, last}, {0, flops_of(count)},
                                 read(side.given), write(std::vector<Handle>{side.keys, side.order}), write(to));
      graph.solve().bring_home(to);
    }
  });
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    Occupancy& occupancy = sides_[s].occupancy = {};
    for (std::size_t i = s * numbers; i < (s + 1) * numbers; i += 3) {
      occupancy.boxes.push_back(double(counted[i]));
      occupancy.pairs.push_back(double(counted[i + 1]));
      occupancy.siblings.push_back(double(counted[i + 2]) / double(counted[i]));
    }
  }
}

template <class T>
PointTrees GpuTree<T>::trees() {
  PointTrees trees;
  trees.points = double(more().points());
  trees.occupancy = [this](int level) {
    Occupancy found = more().occupancy;
    for (auto* const numbers : {&found.boxes, &found.pairs, &found.siblings}) numbers->resize(std::size_t(level) + 1);
    return found;
  };
  trees.work = [this](int depth, int capacity, TreeSight const& sight, std::uint32_t few) {
    return counted_work(depth, capacity, sight, few);
  };
  return trees;
}

template <class T>
TreeWork GpuTree<T>::counted_work(int depth, int capacity, TreeSight const& sight, std::uint32_t few) {
  Of const of = &more() == &sides_[0] ? Of::sources : Of::targets;
  Boxes& boxes = boxes_of(depth, capacity, of);
  Near const& near = near_of(boxes, sight.separation, sight.periodic, few, more().points());
  TreeElsewhere tree{double(more().points()), {}, double(boxes.numbers.back())};
  for (int l = 0; l <= boxes.counts.depth; ++l) tree.boxes.push_back(boxes.counts.size(l));
  return nearfar::counted_work(tree, near.sample);
}

/// Boxes of a level are at most those that points occupy there, and the children of boxes that are divided.
template <class T>
MakeBoxesArgs GpuTree<T>::args_of(int depth, int capacity, Of of) const {
  MakeBoxesArgs args{.level = level_, .depth = depth, .capacity = capacity};
  constexpr double most = std::numeric_limits<std::int32_t>::max() / 2, few_boxes = 4096;
  std::vector<Side const*> grown;
  if (of != Of::targets) grown.push_back(&sides_[0]);
  if (of != Of::sources) grown.push_back(&sides_[1]);
  args.sources = grown[0]->points();
  if (grown.size() > 1) args.targets = grown[1]->points();
  double children = 0, all = 0;
  for (Side const* const side : grown) children += 8 * std::floor(double(side->points()) / (capacity + 1.0));
  for (int l = 0; l <= depth; ++l) {
    double occupied = 0;
    for (Side const* const side : grown)
      occupied += l <= last_ ? side->occupancy.boxes[std::size_t(l)] : double(side->points());
    double boxes = std::min(occupied, std::pow(8.0, l));
    if (capacity > 0 && l > 0) boxes = std::min(boxes, children);
    args.most[l] = std::int32_t(std::min(boxes, most));
    all += args.most[l];
  }
  // Trees that follow their points rarely have more: a box that is divided has some three children with points.
  args.room = std::int32_t(std::min(all, capacity > 0 ? children + few_boxes : most));
  return args;
}

template <class T>
typename GpuTree<T>::Boxes& GpuTree<T>::boxes_of(int depth, int capacity, Of of) {
  std::tuple const key{depth, capacity, of};
  if (auto const found = boxes_.find(key); found != boxes_.end()) return found->second;
  MakeBoxesArgs const args = args_of(depth, capacity, of);
  Boxes boxes;
  std::int64_t const room = args.room;
  auto const words = [&](char const* name, std::int64_t count) {
    boxes.data.push_back(Data::temporary<std::int32_t>(name, count));
  };
  auto const ranges = [&](char const* name) { boxes.data.push_back(Data::temporary<std::uint32_t>(name, 2 * room)); };
  boxes.data.push_back(Data::temporary<MortonKey>("keys of boxes", room));
  for (char const* const name : {"parents", "first children", "octants of children"}) words(name, room);
  ranges("sources of boxes");
  for (char const* const name : {"leaves before boxes", "sources before boxes"}) words(name, room + 1);
  if (of == Of::both) {
    ranges("targets of boxes");
    words("targets before boxes", room + 1);
  }
  std::vector<Handle> keys;
  if (of != Of::targets) keys.push_back(sides_[0].keys);
  if (of != Of::sources) keys.push_back(sides_[1].keys);
  boxes.numbers.resize(std::size_t(numbers_of_tree(depth)));
  run_and_wait(runtime_, [&](Graph& graph) {
    auto const to = SolveData::over("numbers of boxes", boxes.numbers.data(), std::int64_t(boxes.numbers.size()));
    graph.insert<MakeBoxes>(args, {0, flops_of(room)}, read(keys), write(handles_of(boxes.data)), write(to));
    graph.solve().bring_home(to);
  });
  if (boxes.numbers[std::size_t(TakeLevel::numbers * depth)] > std::uint64_t(room)) throw NotForGpus();
  for (int l = 0; l <= depth; ++l) {
    auto const* const of_level = &boxes.numbers[std::size_t(TakeLevel::numbers * l)];
    boxes.counts.begin[l + 1] = std::int32_t(of_level[0]);
    boxes.counts.leaves[l] = std::int32_t(of_level[1]);
    if (boxes.counts.size(l) > 0) boxes.counts.depth = l;
  }
  return boxes_.emplace(key, std::move(boxes)).first->second;
}

template <class T>
typename GpuTree<T>::Near const& GpuTree<T>::near_of(Boxes& boxes, int separation, bool periodic, std::uint32_t few,
                                                     std::int64_t sampled) {
  std::pair const key{separation, periodic};
  if (auto const found = boxes.near.find(key);
      found != boxes.near.end() && (sampled == 0 || found->second.few == few || boxes.counts.on_one_level()))
    return found->second;
  FindNearArgs args{boxes.counts, few, sampled};
  args.counts.separation = separation;
  args.counts.periodic = periodic;
  Near near;
  near.few = few;
  std::int64_t const all = args.counts.all();
  near.data.push_back(Data::temporary<std::int32_t>("boxes by block", all));
  near.data.push_back(Data::temporary<std::int32_t>("near boxes", all * args.counts.near()));
  near.sample.resize(std::size_t(numbers_of_sample(args)));
  run_and_wait(runtime_, [&](Graph& graph) {
    auto const to = SolveData::over("sample of a tree", near.sample.data(), std::int64_t(near.sample.size()));
    graph.insert<FindNearBoxes>(args, {0, flops_of(all)}, read(handles_of(boxes.data)), write(handles_of(near.data)),
                                write(to));
    graph.solve().bring_home(to);
  });
  return boxes.near.insert_or_assign(key, std::move(near)).first->second;
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
  Near const& near = near_of(boxes, shape.separation, shape.periodic, few, 0);
  BoxCounts counts = boxes.counts;
  counts.separation = shape.separation;
  counts.periodic = shape.periodic;
  BoxesOnGpu const on_gpu{counts, handles_of(boxes.data), handles_of(near.data), boxes.numbers, same()};
  std::vector<BlockedPoints<T>> points;
  std::vector<std::vector<std::uint32_t>> twins;
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    points.push_back(room_for_points(on_gpu, s, (s == 0 ? given.sources : given.targets).has_near()));
    twins.emplace_back(std::size_t(points.back().blocks()), 0u);
  }
  MadeOnGpu<T> made{make_tables(runtime_, on_gpu, shape, few,
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
  return BlockedPoints<T>::in_runtime(std::move(sizes), {}, near);
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
