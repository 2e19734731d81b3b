// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/tree.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

using Keys = std::vector<MortonKey>;

/// Where the points of each child of a box begin: nine bounds for eight children.
std::array<std::uint32_t, 9> divide(Keys const& keys, std::uint32_t const range[2], int shift) {
  std::array<std::uint32_t, 9> bound;
  bound[0] = range[0];
  for (unsigned octant = 1; octant <= 8; ++octant) {
    auto const begin = keys.begin() + bound[octant - 1], end = keys.begin() + range[1];
    bound[octant] = std::uint32_t(
        std::partition_point(begin, end, [&](MortonKey k) { return (k >> shift & 7) < octant; }) - keys.begin());
  }
  return bound;
}

bool is_divided(TreeShape const& shape, TreeBox const& box, int level) {
  if (level == shape.depth) return false;
  return std::max(box.sources(), box.targets()) > std::uint32_t(shape.capacity);
}

}  // namespace

std::size_t Tree::boxes() const noexcept {
  std::size_t count = 0;
  for (auto const& level : levels) count += level.size();
  return count;
}

template <class T>
std::vector<MortonKey> point_keys(TreeShape const& shape, std::span<T const> rows, int level) {
  Keys keys(rows.size() / 3);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = point_key(shape, &rows[3 * i], level);
  return keys;
}

template std::vector<MortonKey> point_keys(TreeShape const&, std::span<float const>, int);
template std::vector<MortonKey> point_keys(TreeShape const&, std::span<double const>, int);

Tree make_tree(TreeShape const& shape, SortedKeys const& sources, SortedKeys const& targets, bool same) {
  Tree tree{shape, {}, sources.order, same ? sources.order : targets.order};
  Keys const &source_keys = sources.keys, &target_keys = targets.keys;
  std::uint32_t const count = std::uint32_t(source_keys.size());
  std::uint32_t const target_count = same ? count : std::uint32_t(target_keys.size());
  tree.levels.push_back({TreeBox{{0, 0, 0}, -1, 0, 0, {0, count}, {0, target_count}}});

  for (int level = 0; level < int(tree.levels.size()); ++level) {
    std::vector<TreeBox> below;
    for (std::size_t i = 0; i < tree.levels.back().size(); ++i) {
      TreeBox& box = tree.levels.back()[i];
      if (!is_divided(shape, box, level)) continue;
      int const shift = 3 * (shape.depth - level - 1);
      auto const s = divide(source_keys, box.source, shift);
      auto const t = same ? s : divide(target_keys, box.target, shift);
      box.first_child = std::int32_t(below.size());
      for (int octant = 0; octant < 8; ++octant) {
        auto const o = std::size_t(octant);
        if (s[o] == s[o + 1] && t[o] == t[o + 1]) continue;
        below.push_back(
            {{2 * box.at[0] + (octant >> 2), 2 * box.at[1] + (octant >> 1 & 1), 2 * box.at[2] + (octant & 1)},
             std::int32_t(i),
             0,
             0,
             {s[o], s[o + 1]},
             {t[o], t[o + 1]}});
        ++box.children;
      }
    }
    if (below.empty()) break;
    tree.levels.push_back(std::move(below));
  }
  return tree;
}

Occupancy occupancy(SortedKeys const& sorted, int level) {
  Occupancy result;
  auto const& keys = sorted.keys;
  for (int depth = 0; depth <= level; ++depth) {
    int const shift = 3 * (level - depth);
    double boxes = 0, pairs = 0, siblings = 0, family = 0;
    for (std::size_t first = 0, i = 1; i <= keys.size(); ++i) {
      bool const ends = i == keys.size();
      if (!ends && (keys[i] >> shift) == (keys[first] >> shift)) continue;
      ++boxes;
      ++family;
      pairs += double(i - first) * double(i - first);
      if (ends || depth == 0 || (keys[i] >> shift >> 3) != (keys[first] >> shift >> 3)) {
        siblings += family * family;
        family = 0;
      }
      first = i;
    }
    result.boxes.push_back(boxes);
    result.pairs.push_back(pairs);
    result.siblings.push_back(siblings / boxes);
  }
  return result;
}

Occupancy stretched(Occupancy const& found, double factor) {
  double const back = std::log2(factor);
  auto const between = [&](std::vector<double> const& by_depth) {
    auto result = by_depth;
    for (std::size_t d = 1; d < result.size(); ++d)
      result[d] = std::pow(by_depth[d - 1], back) * std::pow(by_depth[d], 1 - back);
    return result;
  };
  return {between(found.boxes), between(found.pairs), between(found.siblings)};
}

}  // namespace nearfar
