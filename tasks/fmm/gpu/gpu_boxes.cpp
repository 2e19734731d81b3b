// SPDX-License-Identifier: BSD-3-Clause
// The boxes of trees that a GPU makes, and what choosing among trees asks of them.
#include "codelets/tree/curve.hpp"
#include "codelets/tree/grow_tree.hpp"
#include "tasks/fmm/gpu/gpu_tree.hpp"
#include "tasks/fmm/gpu/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nearfar::detail {

template <class T>
PointTrees GpuTree<T>::trees() {
  PointTrees trees;
  trees.points = double(more().points);
  trees.occupancy = [this](int level) {
    Occupancy found = more().occupancy;
    for (auto* const numbers : {&found.boxes, &found.pairs, &found.siblings}) numbers->resize(std::size_t(level) + 1);
    return found;
  };
  trees.work = [this](int depth, int capacity, TreeSight const& sight, std::uint32_t few) {
    return counted_work(depth, capacity, sight, few);
  };
  trees.expect = [this](int depth, std::span<ExpectedTree const> expected) { expect(depth, expected); };
  return trees;
}

namespace {

TreeShape shape_of(TreeSight const& sight) { return {.periodic = sight.periodic, .separation = sight.separation}; }

}  // namespace

template <class T>
TreeWork GpuTree<T>::counted_work(int depth, int capacity, TreeSight const& sight, std::uint32_t few) {
  Boxes& boxes = boxes_of(depth, capacity, counted());
  TreeShape const shape = shape_of(sight);
  if (!knows_near(boxes, shape, few, true))
    run_and_wait(runtime_, [&](Graph& graph) { insert_near(graph, boxes, shape, few, more().points); });
  Near const& near = boxes.near.at({sight.separation, sight.periodic});
  TreeElsewhere tree{double(more().points), {}, double(boxes.numbers.back())};
  for (int l = 0; l <= boxes.counts.depth; ++l) tree.boxes.push_back(boxes.counts.size(l));
  return nearfar::counted_work(tree, near.sample);
}

/// Waits three times for all, instead of twice for each. The tree of which they are made has leaves of half the points
/// of the smallest: others that are asked for later can be made of it, too.
template <class T>
void GpuTree<T>::expect(int depth, std::span<ExpectedTree const> trees) {
  Of const of = counted();
  int const least = std::ranges::min_element(trees, {}, &ExpectedTree::capacity)->capacity;
  Boxes const* finest = nullptr;
  try {
    finest = &boxes_of(depth, std::max(1, least / 2), of);
  } catch (NotForGpus const&) {
    return;  // it has too many boxes; those that are asked for may have fewer
  }
  std::vector<Boxes*> made;
  run_and_wait(runtime_, [&](Graph& graph) {
    for (ExpectedTree const& tree : trees)
      if (BoxesKey const key{depth, tree.capacity, of}; !boxes_.contains(key))
        made.push_back(&insert_pruned(graph, key, *finest));
  });
  for (Boxes* const boxes : made) take_boxes(*boxes);  // no more than the finest has
  run_and_wait(runtime_, [&](Graph& graph) {
    for (ExpectedTree const& tree : trees) {
      Boxes& boxes = boxes_.at({depth, tree.capacity, of});
      TreeShape const shape = shape_of(tree.sight);
      if (!knows_near(boxes, shape, tree.few, true)) insert_near(graph, boxes, shape, tree.few, more().points);
    }
  });
}

template <class T>
std::vector<typename GpuTree<T>::Side const*> GpuTree<T>::grown_of(Of of) const {
  std::vector<Side const*> grown;
  if (of != Of::targets) grown.push_back(&sides_[0]);
  if (of != Of::sources) grown.push_back(&sides_[1]);
  return grown;
}

/// Levels below which no box has more points than a leaf may have need not be looked for.
template <class T>
int GpuTree<T>::depth_of(int depth, int capacity, Of of) const {
  if (capacity == 0) return depth;
  std::uint64_t deepest = 1;
  for (Side const* const side : grown_of(of)) {
    int const power = CrowdsAtPoint::power_for(capacity, int(side->crowded.size()));
    deepest = std::max(deepest, power < 0 ? std::uint64_t(depth) : side->crowded[std::size_t(power)]);
  }
  return int(std::min(deepest, std::uint64_t(depth)));
}

/// Boxes of a level are at most those that points occupy there, and the children of boxes that are divided.
template <class T>
MakeBoxesArgs GpuTree<T>::args_of(int depth, int capacity, Of of) const {
  MakeBoxesArgs args{.level = level_, .depth = depth, .capacity = capacity};
  constexpr double most = std::numeric_limits<std::int32_t>::max() / 2, few_boxes = 4096;
  std::vector<Side const*> const grown = grown_of(of);
  args.sources = grown[0]->points;
  if (grown.size() > 1) args.targets = grown[1]->points;
  double children = 0, all = 0;
  for (Side const* const side : grown) children += 8 * std::floor(double(side->points) / (capacity + 1.0));
  for (int l = 0; l <= depth; ++l) {
    double occupied = 0;
    for (Side const* const side : grown)
      occupied +=
          std::size_t(l) < side->occupancy.boxes.size() ? side->occupancy.boxes[std::size_t(l)] : double(side->points);
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
typename GpuTree<T>::Boxes& GpuTree<T>::room_for_boxes(BoxesKey const& key, std::int64_t room, int depth) {
  Boxes& boxes = boxes_[key] = {};
  boxes.room = room;
  auto const words = [&](char const* name, std::int64_t count) {
    boxes.data.push_back(Data::temporary<std::int32_t>(name, count));
  };
  auto const ranges = [&](char const* name) { boxes.data.push_back(Data::temporary<std::uint32_t>(name, 2 * room)); };
  boxes.data.push_back(Data::temporary<MortonKey>("keys of boxes", room));
  for (char const* const name : {"parents", "first children", "octants of children"}) words(name, room);
  ranges("sources of boxes");
  for (char const* const name : {"leaves before boxes", "sources before boxes"}) words(name, room + 1);
  if (std::get<Of>(key) == Of::both) {
    ranges("targets of boxes");
    words("targets before boxes", room + 1);
  }
  boxes.numbers.resize(std::size_t(numbers_of_tree(depth)));
  return boxes;
}

template <class T>
typename GpuTree<T>::Boxes& GpuTree<T>::insert_boxes(Graph& graph, BoxesKey const& key, MakeBoxesArgs const& args) {
  Boxes& boxes = room_for_boxes(key, args.room, args.depth);
  std::vector<Handle> keys;
  for (Side const* const side : grown_of(std::get<Of>(key))) keys.push_back(side->keys);
  auto const to = SolveData::over("numbers of boxes", boxes.numbers.data(), std::int64_t(boxes.numbers.size()));
  graph.insert<MakeBoxes>(args, {0, flops_of(boxes.room)}, read(keys), write(handles_of(boxes.data)), write(to));
  graph.solve().bring_home(to);
  return boxes;
}

template <class T>
typename GpuTree<T>::Boxes& GpuTree<T>::insert_pruned(Graph& graph, BoxesKey const& key, Boxes const& finer) {
  std::int64_t const given = finer.counts.all();
  int const capacity = std::get<1>(key);
  Boxes& boxes = room_for_boxes(key, given, finer.counts.depth);
  auto const to = SolveData::over("numbers of boxes", boxes.numbers.data(), std::int64_t(boxes.numbers.size()));
  graph.insert<PruneBoxes>({finer.counts, capacity, std::int32_t(given)}, {0, flops_of(given)},
                           read(handles_of(finer.data)), write(handles_of(boxes.data)), write(to));
  graph.solve().bring_home(to);
  return boxes;
}

template <class T>
bool GpuTree<T>::take_boxes(Boxes& boxes) {
  int const depth = int(boxes.numbers.size()) / TakeLevel::numbers - 1;
  if (boxes.numbers[std::size_t(TakeLevel::numbers * depth)] > std::uint64_t(boxes.room)) return false;
  for (int l = 0; l <= depth; ++l) {
    auto const* const of_level = &boxes.numbers[std::size_t(TakeLevel::numbers * l)];
    boxes.counts.begin[l + 1] = std::int32_t(of_level[0]);
    boxes.counts.leaves[l] = std::int32_t(of_level[1]);
    if (boxes.counts.size(l) > 0) boxes.counts.depth = l;
  }
  return true;
}

/// Of a known tree with smaller leaves, the largest that there are; or none.
template <class T>
typename GpuTree<T>::Boxes const* GpuTree<T>::finer_boxes(BoxesKey const& key) const {
  Boxes const* finer = nullptr;
  auto const [depth, capacity, of] = key;
  for (auto const& [known, boxes] : boxes_)
    if (std::get<0>(known) == depth && std::get<1>(known) > 0 && std::get<1>(known) < capacity &&
        std::get<2>(known) == of)
      finer = &boxes;  // in the order of capacities
  return finer;
}

template <class T>
typename GpuTree<T>::Boxes& GpuTree<T>::boxes_of(int depth, int capacity, Of of) {
  BoxesKey const key{depth, capacity, of};
  if (auto const found = boxes_.find(key); found != boxes_.end()) return found->second;
  Boxes const* const finer = finer_boxes(key);
  Boxes* made = nullptr;
  run_and_wait(runtime_, [&](Graph& graph) {
    made = finer != nullptr ? &insert_pruned(graph, key, *finer)
                            : &insert_boxes(graph, key, args_of(depth_of(depth, capacity, of), capacity, of));
  });
  if (take_boxes(*made)) return *made;
  boxes_.erase(key);
  throw NotForGpus();
}

template <class T>
bool GpuTree<T>::knows_near(Boxes const& boxes, TreeShape const& shape, std::uint32_t few, bool sampled) const {
  auto const found = boxes.near.find({shape.separation, shape.periodic});
  return found != boxes.near.end() && (!sampled || found->second.few == few || boxes.counts.on_one_level());
}

/// `sampled`: so many points, some of which are looked at.
template <class T>
typename GpuTree<T>::Near const& GpuTree<T>::insert_near(Graph& graph, Boxes& boxes, TreeShape const& shape,
                                                         std::uint32_t few, std::int64_t sampled,
                                                         Parted const& parted) {
  FindNearArgs args{boxes.counts, few, sampled, parted.wanted};
  args.counts.separation = shape.separation;
  args.counts.periodic = shape.periodic;
  args.counts.parts = parted.parts;
  Near& near = boxes.near[{shape.separation, shape.periodic}] = {};
  near.few = few;
  std::int64_t const all = args.counts.all();
  near.data.push_back(Data::temporary<std::int32_t>("boxes by block", all));
  near.data.push_back(Data::temporary<std::int32_t>("near boxes", all * args.counts.near()));
  if (std::int64_t const others = parted.parts - 1; others > 0)
    near.data.push_back(Data::temporary<PartBegin>("beginnings of parts", (args.counts.depth + 1) * others));
  near.sample.resize(std::size_t(numbers_of_near(args)));
  auto const to = SolveData::over("sample of a tree", near.sample.data(), std::int64_t(near.sample.size()));
  graph.insert<FindNearBoxes>(args, {0, flops_of(all)}, read(handles_of(boxes.data)), write(handles_of(near.data)),
                              write(to));
  graph.solve().bring_home(to);
  return near;
}

#define NEARFAR_INSTANTIATE(T)                                                                                       \
  template PointTrees GpuTree<T>::trees();                                                                           \
  template int GpuTree<T>::depth_of(int, int, Of) const;                                                             \
  template MakeBoxesArgs GpuTree<T>::args_of(int, int, Of) const;                                                    \
  template typename GpuTree<T>::Boxes& GpuTree<T>::insert_boxes(Graph&, BoxesKey const&, MakeBoxesArgs const&);      \
  template bool GpuTree<T>::take_boxes(Boxes&);                                                                      \
  template typename GpuTree<T>::Boxes& GpuTree<T>::boxes_of(int, int, Of);                                           \
  template bool GpuTree<T>::knows_near(Boxes const&, TreeShape const&, std::uint32_t, bool) const;                   \
  template typename GpuTree<T>::Near const& GpuTree<T>::insert_near(Graph&, Boxes&, TreeShape const&, std::uint32_t, \
                                                                    std::int64_t, Parted const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
