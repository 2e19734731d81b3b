// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/moved_tree.hpp"

#include <algorithm>
#include <span>

namespace nearfar {

namespace {

std::span<Leaf const> leaves_in(std::vector<std::int32_t> const& words) {
  return {reinterpret_cast<Leaf const*>(words.data()), words.size() * sizeof(std::int32_t) / sizeof(Leaf)};
}

/// The leaf of a block that holds its point number `point`.
std::size_t leaf_with(std::span<Leaf const> leaves, std::int32_t point) {
  auto const after =
      std::upper_bound(leaves.begin(), leaves.end(), point, [](std::int32_t p, Leaf const& l) { return p < l.last; });
  return std::size_t(after - leaves.begin());
}

}  // namespace

LeafCurve::LeafCurve(Tree const& tree, int level) {
  for (int l = 0; l <= tree.depth(); ++l) {
    auto const& boxes = tree.levels[std::size_t(l)];
    int const shift = 3 * (level - l);
    for (std::size_t b = 0; b < boxes.size(); ++b)
      if (boxes[b].is_leaf())
        leaves_.push_back({morton_key(boxes[b].at[0], boxes[b].at[1], boxes[b].at[2]) << shift, MortonKey(1) << shift,
                           l, std::int32_t(b)});
  }
  auto const before = [](LeafAt const& a, LeafAt const& b) { return a.first < b.first; };
  if (!std::is_sorted(leaves_.begin(), leaves_.end(), before)) std::sort(leaves_.begin(), leaves_.end(), before);
}

int LeafCurve::at_or_before(MortonKey key) const noexcept {
  auto const after =
      std::upper_bound(leaves_.begin(), leaves_.end(), key, [](MortonKey k, LeafAt const& at) { return k < at.first; });
  return std::max(0, int(after - leaves_.begin()) - 1);
}

LeafPoints in_leaves(LeafCurve const& curve, SortedKeys keys) {
  LeafPoints points{std::vector<std::uint32_t>(std::size_t(curve.size()) + 1, 0), std::move(keys.order)};
  std::size_t next = 0;
  for (int leaf = 0; leaf < curve.size(); ++leaf) {
    while (next < keys.keys.size() && curve.holds(leaf, keys.keys[next])) ++next;
    points.begin[std::size_t(leaf) + 1] = std::uint32_t(next);
  }
  return points;
}

LeafFinder::LeafFinder(Tree const& tree, LeafCurve const& curve, int level)
    : tree_(tree), curve_(curve), shape_(tree.shape), level_(level) {
  shape_.centre = {};  // points are given relative to the centre
}

double LeafFinder::outside_box(TreeBox const& box, int level, double const x[3]) const noexcept {
  double const side = 2 * shape_.half / double(1 << level);
  double outside = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    double const at = (x[d] / shape_.aspect[d] + shape_.half) / side - box.at[d];
    outside = std::max({outside, -at, at - 1});
  }
  return outside;
}

Tree with_points(Tree tree, LeafCurve const& curve, LeafPoints sources, LeafPoints targets, Targets which) {
  for (int leaf = 0; leaf < curve.size(); ++leaf) {
    TreeBox& box = tree.levels[std::size_t(curve.level(leaf))][std::size_t(curve.number(leaf))];
    auto const i = std::size_t(leaf);
    std::copy_n(&sources.begin[i], 2, box.source);
    std::copy_n(which == Targets::sources ? &sources.begin[i] : &targets.begin[i], 2, box.target);
  }
  for (int level = tree.depth() - 1; level >= 0; --level)
    for (TreeBox& box : tree.levels[std::size_t(level)]) {
      if (box.is_leaf()) continue;
      TreeBox const* const child = &tree.levels[std::size_t(level) + 1][std::size_t(box.first_child)];
      box.source[0] = child[0].source[0];
      box.source[1] = child[box.children - 1].source[1];
      box.target[0] = child[0].target[0];
      box.target[1] = child[box.children - 1].target[1];
    }
  tree.source_order = std::move(sources.order);
  tree.target_order = std::move(targets.order);
  return tree;
}

bool serves(Tree const& planned, LeafCurve const& curve, Tree const& moved) {
  auto const fits = [&](std::uint32_t was, std::uint32_t is, std::size_t all) {
    auto const usual =
        planned.shape.capacity > 0 ? std::size_t(planned.shape.capacity) : all / std::size_t(curve.size()) + 1;
    return is == 0 || (was > 0 && is <= 2 * std::max(std::size_t(was), usual));
  };
  for (int leaf = 0; leaf < curve.size(); ++leaf) {
    auto const level = std::size_t(curve.level(leaf)), number = std::size_t(curve.number(leaf));
    TreeBox const &was = planned.levels[level][number], &is = moved.levels[level][number];
    if (!fits(was.sources(), is.sources(), planned.levels[0][0].sources()) ||
        !fits(was.targets(), is.targets(), planned.levels[0][0].targets()))
      return false;
  }
  return true;
}

Gather moved_runs(Gather const& planned, MovedLeaves const& sources, std::vector<std::int32_t> const* targets) {
  PairTable<PointRun> const table(planned.words.data());
  Gather moved = planned;
  moved.work = 0;
  auto* const runs = reinterpret_cast<PointRun*>(moved.words.data() + PairTable<PointRun>::head + 2 * table.targets());
  for (int i = 0; i < table.items(); ++i) {
    PointRun& run = runs[i];
    auto const block = std::size_t(planned.blocks[std::size_t(run.buffer)]);
    auto const was = leaves_in(sources.planned[block]), is = leaves_in(sources.now[block]);
    auto const first = leaf_with(was, run.first), last = leaf_with(was, run.last - 1);
    run.first = is[first].first;
    run.last = is[last].last;
  }
  std::vector<double> of_target, seen;
  for (int t = 0; t < table.targets(); ++t) {
    Range const range = table.range(t);
    seen.push_back(0);
    for (int i = range.first; i < range.first + range.count; ++i) seen.back() += runs[i].last - runs[i].first;
    if (targets != nullptr) {
      Leaf const& leaf = leaves_in(*targets)[std::size_t(t)];
      of_target.push_back(leaf.last - leaf.first);
    }
    moved.work += seen.back() * (targets != nullptr ? of_target.back() : 1);
  }
  if (targets == nullptr) return moved;
  moved.words.resize(std::size_t(PairTable<PointRun>::head + 2 * table.targets() + 6 * table.items()));
  append_cuts(moved, of_target, seen);
  return moved;
}

}  // namespace nearfar
