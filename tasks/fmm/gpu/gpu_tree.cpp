// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/gpu/gpu_tree.hpp"

#include "codelets/tree/curve.hpp"
#include "codelets/tree/uniform_lists.hpp"
#include "core/tree/lists/lists.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/engine/solve/submit.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <type_traits>
#include <utility>

namespace nearfar::detail {

namespace {

constexpr double flops = 100;  // of a point, an estimate

/// Runs the tasks that `build` inserts, and waits for them.
template <class Build>
void run(std::shared_ptr<RuntimeState> const& runtime, Build const& build) {
  submit_solve(runtime, {}, {}, [&](Graph& graph) {
    if (!gpu_workers(codelet_of<FindLeaves>()).empty()) graph.keep_to_gpus();  // else a CPU does it
    build(graph);
  }).wait();
}

}  // namespace

template <class T>
bool makes_tree_on_gpu(std::size_t points) {
  constexpr std::size_t few = 1 << 12, most = std::numeric_limits<std::int32_t>::max();
  return points >= few && points <= most && starpu_worker_get_id() < 0 &&
         !gpu_workers(codelet_of<SortCurve<T>>()).empty();
}

template <class T>
GpuTree<T>::GpuTree(std::shared_ptr<RuntimeState> runtime, std::span<T const> rows)
    : runtime_(std::move(runtime)), rows_(rows) {
  wait_for_callers_streams(rows);
  awake_.begin(runtime_);
  given_ = Data::constant("points", rows.data(), std::int64_t(rows.size()), {memory_node_of(rows.data())});
}

template <class T>
Extent GpuTree<T>::extent() {
  double found[extent_numbers];
  auto const points = std::int64_t(rows_.size() / 3);
  run(runtime_, [&](Graph& graph) {
    auto const to = SolveData::over("extent", found, extent_numbers);
    graph.insert<FindExtent<T>>({points}, {0, double(points)}, read(given_), write(to));
    graph.solve().bring_home(to);
  });
  Extent extent;
  for (std::size_t d = 0; d < 3; ++d) {
    extent.low[d] = found[d];
    extent.high[d] = -found[3 + d];
  }
  extent.finite = found[6] == 1;
  return extent;
}

template <class T>
void GpuTree<T>::sort(PointsInRoot<T> const& points, int level, int last) {
  auto const count = std::int64_t(points.size());
  keys_ = Data::temporary<MortonKey>("keys", count);
  order_ = Data::temporary<std::uint32_t>("order", count);
  level_ = level;
  depth_ = -1;
  boxes_.reset();
  std::vector<std::uint64_t> counted(std::size_t(3 * (last + 1)));
  run(runtime_, [&](Graph& graph) {
    auto const to = SolveData::over("counts of boxes", counted.data(), std::int64_t(counted.size()));
    graph.insert<SortCurve<T>>({points.placing(), points.shape(), count, level, last}, {0, flops * double(count)},
                               read(given_), write(std::vector<Handle>{keys_, order_}), write(to));
    graph.solve().bring_home(to);
  });
  occupancy_ = {};
  for (std::size_t d = 0; d <= std::size_t(last); ++d) {
    occupancy_.boxes.push_back(double(counted[3 * d]));
    occupancy_.pairs.push_back(double(counted[3 * d + 1]));
    occupancy_.siblings.push_back(double(counted[3 * d + 2]) / double(counted[3 * d]));
  }
}

/// As TreeSearch::is_uneven, for the deepest tree with several points in a leaf: uniform points are even there, and
/// where a set of them ends matters least.
template <class T>
bool GpuTree<T>::is_uneven() const {
  constexpr double even = 1.3, several = 8;
  double const points = double(rows_.size() / 3);
  std::size_t depth = 0;
  while (depth + 1 < occupancy_.boxes.size() && several * occupancy_.boxes[depth + 1] <= points) ++depth;
  return occupancy_.pairs[depth] * occupancy_.boxes[depth] > even * points * points;
}

template <class T>
PointTrees GpuTree<T>::trees() {
  PointTrees trees;
  trees.points = double(rows_.size() / 3);
  trees.occupancy = [this](int level) {
    Occupancy found = occupancy_;
    for (auto* const numbers : {&found.boxes, &found.pairs, &found.siblings}) numbers->resize(std::size_t(level) + 1);
    return found;
  };
  std::map<std::pair<int, int>, TreeWork> known;  // plans are compared for several orders
  trees.work = [this, known](int depth, int capacity, TreeSight const& sight, std::uint32_t) mutable {
    if (capacity > 0) throw LeavesOnSeveralLevels();
    std::pair const key{depth, sight.separation};
    if (auto const found = known.find(key); found != known.end()) return found->second;
    return known[key] = counted_work(depth, sight);
  };
  return trees;
}

/// Its boxes are those of the tree, if it is chosen.
template <class T>
TreeWork GpuTree<T>::counted_work(int depth, TreeSight const& sight) {
  MadeBoxes const& made = make_boxes({.periodic = sight.periodic, .separation = sight.separation, .depth = depth});
  std::span<std::uint64_t const> const totals(made.totals);
  return nearfar::counted_work(occupancy_, depth, double(rows_.size() / 3),
                               totals.subspan(std::size_t(begin_of_sample(made.args))));
}

template <class T>
std::size_t GpuTree<T>::boxes(int depth) const {
  auto const& boxes = occupancy_.boxes;
  return std::size_t(std::accumulate(boxes.begin(), boxes.begin() + depth + 1, 0.0));
}

/// And where the points of each begin.
template <class T>
Handle GpuTree<T>::leaf_keys(int depth) {
  if (depth == depth_) return leaf_;
  auto const leaves = std::int64_t(occupancy_.boxes[std::size_t(depth)]), points = std::int64_t(rows_.size() / 3);
  leaf_ = Data::temporary<MortonKey>("keys of leaves", leaves);
  begin_ = Data::temporary<std::uint32_t>("points of leaves", leaves + 1);
  depth_ = depth;
  run(runtime_, [&](Graph& graph) {
    graph.insert<FindLeaves>({points, level_, depth}, {0, double(points)}, read(keys_),
                             write(std::vector<Handle>{leaf_, begin_}));
  });
  return leaf_;
}

template <class T>
typename GpuTree<T>::MadeBoxes const& GpuTree<T>::make_boxes(TreeShape const& shape) {
  if (boxes_ && boxes_->args.counts.depth == shape.depth && boxes_->args.counts.separation == shape.separation &&
      boxes_->args.counts.periodic == shape.periodic)
    return *boxes_;
  boxes_.reset();  // its memory first
  MadeBoxes made{
      {{shape.depth, shape.separation, shape.periodic, {}}, top_of(shape), std::int64_t(rows_.size() / 3)}, {}, {}};
  BoxCounts& counts = made.args.counts;
  for (int l = 0; l <= shape.depth; ++l) counts.boxes[l] = std::int32_t(occupancy_.boxes[std::size_t(l)]);
  std::int64_t const all = counts.all();
  std::vector<Handle> const in_leaves{leaf_keys(shape.depth), begin_};
  made.data.push_back(Data::temporary<MortonKey>("keys of boxes", all));
  for (char const* const name : {"parents", "children", "octants of children"})
    made.data.push_back(Data::temporary<std::int32_t>(name, all));
  made.data.push_back(Data::temporary<std::int32_t>("near boxes", all * counts.near()));
  made.data.push_back(Data::temporary<std::int32_t>("counts of interactions", words_of_counts(made.args)));
  made.totals.resize(std::size_t(numbers_of_totals(made.args)));
  run(runtime_, [&](Graph& graph) {
    auto const to = SolveData::over("numbers of interactions", made.totals.data(), std::int64_t(made.totals.size()));
    graph.insert<MakeBoxes>(made.args, {0, flops * double(all)}, read(in_leaves), write(made.handles()), write(to));
    graph.solve().bring_home(to);
  });
  return boxes_.emplace(std::move(made));
}

template <class T>
GpuTables GpuTree<T>::make_tables(TreeShape const& shape) {
  MadeBoxes const& of_tree = make_boxes(shape);
  MakeBoxesArgs const& args = of_tree.args;
  auto const& totals = of_tree.totals;
  GpuTables made;
  made.shape = shape;
  made.points = rows_.size() / 3;
  made.counts = args.counts;
  made.pairs = of_tree.pairs();
  std::int64_t const all = made.counts.all(), leaves = made.counts.boxes[shape.depth];
  std::vector<Handle> const in_leaves{leaf_keys(shape.depth), begin_};
  for (auto* const tables : {&made.m2m, &made.l2l, &made.m2l}) tables->resize(std::size_t(shape.depth) + 1);
  made.interactions.resize(made.m2l.size());
  made.leaves = Data::temporary<std::int32_t>("leaves", 5 * leaves);
  made.p2p = Data::temporary<std::int32_t>("p2p table",
                                           PairTable<PointRun>::head + 5 * leaves + 3 + 6 * std::int64_t(totals[0]));
  std::vector<Handle> tables{made.leaves, made.p2p};
  for_each_list(made.counts, {}, args.top, [&](auto const& list, int number) {
    using List = std::decay_t<decltype(list)>;
    auto const level = std::size_t(list.level.level);
    std::uint64_t const interactions = totals[std::size_t(2 + 2 * number)], runs = totals[std::size_t(3 + 2 * number)];
    Data& table = std::is_same_v<List, Children>  ? made.m2m[level]
                  : std::is_same_v<List, Parents> ? made.l2l[level]
                                                  : made.m2l[level];
    if constexpr (std::is_same_v<List, FarBoxes>) made.interactions[level] = double(interactions);
    table = Data::temporary<std::int32_t>("table", RunTable::head + 3 * std::int64_t(runs + interactions));
    tables.push_back(table);
  });
  run(runtime_, [&](Graph& graph) {
    graph.insert<MakeTables>({made.counts, args.top, made.pairs}, {0, flops * double(all)}, read(in_leaves),
                             read(of_tree.handles()), write(tables));
  });
  for (auto* const data : {&made.m2m, &made.l2l, &made.m2l})
    for (Data& table : *data)
      if (table != nullptr) table.freeze();
  made.leaves.freeze();
  made.p2p.freeze();
  return made;
}

template <class T>
BlockedPoints<T> GpuTree<T>::in_leaves(PointsInRoot<T> const& given) {
  auto const count = std::int32_t(rows_.size() / 3);
  std::vector<BlockSize> sizes(std::size_t(depth_) + 1);
  sizes.back() = {count, std::int32_t(occupancy_.boxes[std::size_t(depth_)])};
  auto points = BlockedPoints<T>::in_runtime(std::move(sizes), depth_, {}, given.has_near());
  std::uint32_t twins = 0;
  run(runtime_, [&](Graph& graph) {
    auto const found = SolveData::over("points that coincide", &twins, 1);
    graph.insert<FillLeaves<T>>({given.placing(), count, true}, {0, flops * count}, read(given_),
                                read(std::vector<Handle>{keys_, order_}), read(begin_), write(points.handles()),
                                write(found));
    graph.solve().bring_home(found);
  });
  points.freeze();
  if (twins != 0) {
    points.bring_to_host(runtime_);
    points.expect_distinct(depth_, given.frame(), "source");
  }
  return points;
}

#define NEARFAR_INSTANTIATE(T)                     \
  template bool makes_tree_on_gpu<T>(std::size_t); \
  template class GpuTree<T>;
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
