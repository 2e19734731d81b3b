// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/uniform_leaves.hpp"
#include "core/tree/tree_sample.hpp"

namespace nearfar {

/// What a sample of the boxes and points of a tree sees (core/plan/fmm/tree_work.hpp).
struct SampledTree {
  NearLeaves near;
  TreeSample sample;

  NEARFAR_FUNCTION std::int64_t boxes_of(int level) const { return sample.boxes_of(near.leaves.counts.boxes[level]); }
  NEARFAR_FUNCTION std::int64_t boxes() const {
    std::int64_t all = 0;
    for (int l = 0; l <= near.leaves.counts.depth; ++l) all += boxes_of(l);
    return all;
  }
  NEARFAR_FUNCTION std::int64_t size() const { return boxes() + sample.points_of_tree(); }
  static SampledTree of(BoxLevel const& leaves, std::uint32_t const* begin, double points) {
    return {{leaves, begin}, {points, double(leaves.counts.all())}};
  }
};

/// Interactions of a box with some of the keys: far more threads than boxes, since each waits for memory.
struct PartInteractions {
  static constexpr int parts = 64;
  SampledTree tree;
  std::uint32_t* found;  ///< [box][part]

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::int64_t k = i / parts;
    int level = 0;
    while (k >= tree.boxes_of(level)) k -= tree.boxes_of(level++);
    BoxLevel const here = tree.near.leaves.at(level);
    std::int64_t const box = TreeSample::at(k, tree.boxes_of(level), double(here.size()));
    std::uint32_t interactions = 0;
    int const keys = FarBoxes::keys(here.counts.separation);
    for (int key = int(i % parts); level > 0 && key < keys; key += parts)
      interactions += FarBoxes{here}(box, key) >= 0 ? 1 : 0;
    found[i] = interactions;
  }
};
struct TakeSample {
  SampledTree tree;
  std::uint32_t const* found;   ///< [box][part]
  std::int32_t const* sources;  ///< near each leaf
  std::uint64_t* out;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    constexpr int parts = PartInteractions::parts;
    std::int64_t const k = i - tree.boxes();
    out[i] = 0;
    if (k < 0) {
      for (int p = 0; p < parts; ++p) out[i] += found[i * parts + p];
      return;
    }
    std::uint32_t const* const begin = tree.near.begin;
    auto const point = std::uint32_t(TreeSample::at(k, tree.sample.points_of_tree(), tree.sample.points));
    std::int64_t leaf = 0, end = tree.near.leaves.size();
    while (end - leaf > 1) {
      std::int64_t const middle = (leaf + end) / 2;
      (begin[middle] <= point ? leaf : end) = middle;
    }
    out[i] = std::uint64_t(sources[leaf]);
  }
};

template <class Device>
void count_sample(Device& device, SampledTree const& tree, std::int32_t const* sources, std::uint64_t* out) {
  constexpr char what[] = "estimates the work of a tree";
  std::int64_t const threads = tree.boxes() * PartInteractions::parts;
  auto* const found = device.template room<std::uint32_t>(threads);
  device.for_all(threads, PartInteractions{tree, found}, what);
  device.for_all(tree.size(), TakeSample{tree, found, sources, out}, what);
}

}  // namespace nearfar
