// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/run_lists.hpp"
#include "core/tree/tree_sample.hpp"

namespace nearfar {

/// What a sample of the boxes and points of a tree sees (core/plan/fmm/tree_work.hpp).
struct SampledTree {
  BoxWalk walk;
  TreeSample sample;

  static constexpr int numbers = 2;  ///< of a box interactions and sources of X; of a point sources of U and boxes of W

  NEARFAR_FUNCTION BoxCounts const& counts() const { return walk.tree.counts; }
  NEARFAR_FUNCTION std::int64_t boxes_of(int level) const { return sample.boxes_of(counts().size(level)); }
  NEARFAR_FUNCTION std::int64_t boxes() const {
    std::int64_t all = 0;
    for (int l = 0; l <= counts().depth; ++l) all += boxes_of(l);
    return all;
  }
  NEARFAR_FUNCTION std::int64_t size() const { return numbers * (boxes() + sample.points_of_tree()); }
  static SampledTree of(BoxWalk const& walk, double points) { return {walk, {points, double(walk.tree.counts.all())}}; }
  /// Box k of all that are looked at.
  NEARFAR_FUNCTION std::int32_t box(std::int64_t k, int& level) const {
    level = 0;
    while (k >= boxes_of(level)) k -= boxes_of(level++);
    return counts().begin[level] + std::int32_t(TreeSample::at(k, boxes_of(level), double(counts().size(level))));
  }
  /// The leaf of point k.
  NEARFAR_FUNCTION std::int32_t leaf(std::int64_t k, int& level) const {
    auto const point = std::uint32_t(TreeSample::at(k, sample.points_of_tree(), sample.points));
    std::int32_t box = 0;
    for (level = 0; !walk.tree.is_leaf(box); ++level) {
      box = walk.tree.all.first_child[box];
      while (walk.tree.all.source[2 * box + 1] <= point) ++box;
    }
    return box;
  }
};

/// Interactions of a box with some of the keys: far more threads than boxes, since each waits for memory.
struct PartInteractions {
  static constexpr int parts = 64;
  SampledTree tree;
  std::uint32_t* found;  ///< [box][part]

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int level = 0;
    std::int32_t const box = tree.box(i / parts, level);
    FarBoxes const far{tree.walk.tree, {level, false}};
    std::uint32_t interactions = 0;
    int const keys = FarBoxes::keys(tree.counts().separation);
    for (int key = int(i % parts); level > 0 && key < keys; key += parts)
      interactions += far(box, far.known(key)) >= 0 ? 1 : 0;
    found[i] = interactions;
  }
};
/// What a box or the leaf of a point sees in one direction.
struct PartSeen {
  SampledTree tree;
  std::uint32_t* seen;  ///< [box or point][which][direction]

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int const ways = tree.counts().near(), way = int(i % ways);
    std::int64_t const k = i / ways - tree.boxes();
    BoxWalk const& walk = tree.walk;
    std::uint32_t sources = 0, boxes = 0;
    int level = 0;
    auto const add_sources = [&](ImageBox const& box) { sources += walk.tree.sources(box.box); };
    if (k < 0) {
      std::int32_t const box = tree.box(i / ways, level);
      walk.visit_x_on_way(walk.seer(box, level), way, add_sources);
    } else {
      std::int32_t const leaf = tree.leaf(k, level);
      walk.visit_u_and_w_on_way(walk.seer(leaf, level), way, add_sources, [&](ImageBox const&) { ++boxes; });
    }
    std::uint32_t* const out = seen + i / ways * SampledTree::numbers * ways + way;
    out[0] = sources;
    out[ways] = boxes;
  }
};
struct TakeSample {
  SampledTree tree;
  std::uint32_t const *interactions, *seen;  ///< as above
  std::uint64_t* out;                        ///< [box or point][which]

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    constexpr int parts = PartInteractions::parts, numbers = SampledTree::numbers;
    std::int64_t const k = i / numbers;
    bool const first = i % numbers == 0, box = k < tree.boxes();
    int const ways = tree.counts().near(), count = box && first ? parts : ways;
    std::uint32_t const* const from = box && first ? interactions + k * parts : seen + (box ? k * numbers : i) * ways;
    std::uint64_t sum = 0;
    for (int p = 0; p < count; ++p) sum += from[p];
    out[i] = sum;
  }
};

template <class Device>
void take_sample(Device& device, SampledTree const& tree, std::uint64_t* out) {
  constexpr char what[] = "estimates the work of a tree";
  std::int64_t const of_boxes = tree.boxes() * PartInteractions::parts, ways = tree.counts().near();
  auto* const interactions = device.template room<std::uint32_t>(of_boxes);
  auto* const seen = device.template room<std::uint32_t>(tree.size() * ways);
  device.for_all(of_boxes, PartInteractions{tree, interactions}, what);
  device.for_all(tree.size() / SampledTree::numbers * ways, PartSeen{tree, seen}, what);
  device.for_all(tree.size(), TakeSample{tree, interactions, seen, out}, what);
}

}  // namespace nearfar
