// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/fmm/tree_work.hpp"

#include "core/tree/lists/interactions.hpp"
#include "core/tree/tree_sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace nearfar {

namespace {

/// Occupied boxes near a box: the same fraction of its neighbours as of its seven siblings.
double near_occupied(double siblings, int separation) { return 1 + (near_boxes(separation) - 1) * (siblings - 1) / 7; }

/// The fraction of its near boxes that a box keeps on average, given that the set of boxes ends: n boxes in a row have
/// n (2 s + 1) - s (s + 1) near ones. The length of rows follows from the set's dimension, estimated from the siblings.
double share_inside(double boxes, double siblings, TreeSight const& m) {
  double const dimension = std::log2(std::max(siblings, 1.01)), row = std::pow(boxes, 1 / dimension);
  if (m.periodic || row < 1.5) return 1;
  double const s = m.separation;
  return std::pow(std::max(1 - s * (s + 1) / ((2 * s + 1) * row), 1 / (2 * s + 1)), dimension);
}

TreeBox const& box_of(Tree const& tree, SeenBox const& seen) {
  return tree.levels[std::size_t(seen.level)][std::size_t(seen.box)];
}

/// The leaf that holds a point.
SeenBox leaf_of(Tree const& tree, std::uint32_t point) {
  SeenBox at{0, 0, {0, 0, 0}};
  for (TreeBox const* box = &box_of(tree, at); !box->is_leaf(); box = &box_of(tree, at)) {
    at = {at.level + 1, box->first_child, {0, 0, 0}};
    while (box_of(tree, at).source[1] <= point) ++at.box;
  }
  return at;
}

TreeWork counted_work(Tree const& tree, std::uint32_t few) {
  InteractionLists const lists(tree, few, KeptLists::none);
  Interactions in;
  double const count = tree.levels[0][0].sources(), boxes = double(tree.boxes());
  TreeSample const sample{count, boxes};
  TreeWork work{.points = tree.depth() >= 2 ? count : 0, .boxes = boxes};
  for (std::size_t level = 0; level < tree.levels.size(); ++level) {
    auto const& all = tree.levels[level];
    if (level >= 2) work.shifts += double(all.size());
    for (TreeBox const& box : all)
      if (box.is_leaf()) work.crowd += double(box.sources()) * box.sources() / count;
    std::int64_t const asked = sample.boxes_of(std::int64_t(all.size()));
    for (std::int64_t k = 0; k < asked; ++k) {
      lists.of(int(level), int(TreeSample::at(k, asked, double(all.size()))), in);
      work.interactions += double(in.v.size()) * double(all.size()) / double(asked);
      std::uint64_t sources = 0;
      for (SeenBox const& x : in.x) sources += box_of(tree, x).sources();
      work.to_locals += double(sources) * double(all.size()) / double(asked);
    }
  }
  SeenBox last{-1, 0, {}};
  double near = 0;
  std::int64_t const asked = sample.points_of_tree();
  for (std::int64_t k = 0; k < asked; ++k) {
    SeenBox const leaf = leaf_of(tree, std::uint32_t(TreeSample::at(k, asked, count)));
    if (leaf.level != last.level || leaf.box != last.box) {
      lists.of(leaf.level, leaf.box, in);
      near = 0;
      for (SeenBox const& u : in.u) near += box_of(tree, u).sources();
      last = leaf;
    }
    work.pairs += near * count / double(asked);
    work.to_points += double(in.w.size()) * count / double(asked);
  }
  return work;
}

}  // namespace

double near_boxes(int separation) noexcept { return std::pow(2 * separation + 1, 3); }
double far_boxes(int separation) noexcept { return std::pow(4 * separation + 2, 3) - near_boxes(separation); }

std::vector<TreeWork> uniform_work(Occupancy const& o, double count, TreeSight const& m) {
  std::vector<TreeWork> by_depth;
  double const all = m.images * o.pairs[0];
  TreeWork so_far;  // of all levels down to this one, without pairs
  double near_above = 1;
  for (std::size_t d = 0; d < o.boxes.size(); ++d) {
    double const boxes = o.boxes[d], siblings = o.siblings[d], inside = share_inside(boxes, siblings, m),
                 near = std::max(1.0, near_occupied(siblings, m.separation) * inside);
    if (d >= 2) {
      double const interactions = near_above * siblings - near;
      so_far.interactions += boxes * std::clamp(interactions, 0.0, m.images * boxes);
      so_far.shifts += boxes;
      so_far.boxes += boxes;
      so_far.points = count;
    }
    near_above = near;
    TreeWork& work = by_depth.emplace_back(so_far);
    work.crowd = o.pairs[d] / count;
    // Neighbours hold as much as siblings do.
    double const others = (near_boxes(m.separation) * inside - 1) / 7;
    work.pairs = d == 0 ? all : std::min(all, o.pairs[d] + (o.pairs[d - 1] - o.pairs[d]) * std::max(0.0, others));
  }
  return by_depth;
}

TreeWork counted_work(SortedKeys const& keys, int depth, int capacity, TreeSight const& sight, std::uint32_t few,
                      Loop const& loop) {
  TreeShape const shape{
      .periodic = sight.periodic, .separation = sight.separation, .depth = depth, .capacity = capacity};
  return counted_work(Tree{shape, make_boxes(shape, keys, {}, Targets::sources, loop), {}, {}}, few);
}

TreeWork counted_work(TreeElsewhere const& tree, std::span<std::uint64_t const> counts) {
  double const boxes = std::accumulate(tree.boxes.begin(), tree.boxes.end(), 0.0);
  TreeSample const sample{tree.points, boxes};
  TreeWork work{.points = tree.boxes.size() > 2 ? tree.points : 0, .boxes = boxes, .crowd = tree.crowd / tree.points};
  auto next = counts.begin();
  for (std::size_t level = 0; level < tree.boxes.size(); ++level) {
    double const of_level = tree.boxes[level];
    if (level >= 2) work.shifts += of_level;
    std::int64_t const asked = sample.boxes_of(std::int64_t(of_level));
    for (std::int64_t k = 0; k < asked; ++k) {
      work.interactions += double(*next++) * of_level / double(asked);
      work.to_locals += double(*next++) * of_level / double(asked);
    }
  }
  std::int64_t const asked = sample.points_of_tree();
  for (std::int64_t k = 0; k < asked; ++k) {
    work.pairs += double(*next++) * tree.points / double(asked);
    work.to_points += double(*next++) * tree.points / double(asked);
  }
  return work;
}

PointTrees::PointTrees(std::size_t count, KeysAt keys, Loop const& loop)
    : points(double(count)),
      occupancy([keys, loop](int level) { return nearfar::occupancy(keys(level), level, loop); }),
      work([keys, loop](int depth, int capacity, TreeSight const& sight, std::uint32_t few) {
        return counted_work(keys(depth), depth, capacity, sight, few, loop);
      }) {}

}  // namespace nearfar
