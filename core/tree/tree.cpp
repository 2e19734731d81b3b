// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/tree.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

/// Where the points of each child of a box begin: nine bounds for eight children.
std::array<std::uint32_t, 9> divide(std::span<MortonKey const> keys, std::uint32_t const range[2], int shift) {
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
  std::vector<MortonKey> keys(rows.size() / 3);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = point_key(shape, &rows[3 * i], level);
  return keys;
}

template std::vector<MortonKey> point_keys(TreeShape const&, std::span<float const>, int);
template std::vector<MortonKey> point_keys(TreeShape const&, std::span<double const>, int);

Tree make_tree(TreeShape const& shape, SortedKeys sources, SortedKeys targets, Targets which, Loop const& loop) {
  auto levels = make_boxes(shape, sources, targets, which, loop);
  return {shape, std::move(levels), std::move(sources.order), std::move(targets.order)};
}

std::vector<std::vector<TreeBox>> make_boxes(TreeShape const& shape, SortedKeys const& sources,
                                             SortedKeys const& targets, Targets which, Loop const& loop) {
  constexpr std::size_t boxes_of_part = 512;
  std::uint32_t const count = std::uint32_t(sources.keys.size());
  std::uint32_t const target_count = which == Targets::sources ? count : std::uint32_t(targets.keys.size());
  std::vector<std::vector<TreeBox>> levels{{TreeBox{{0, 0, 0}, -1, 0, 0, {0, count}, {0, target_count}}}};

  for (int level = 0; level < int(levels.size()); ++level) {
    auto& boxes = levels.back();
    std::vector<std::vector<TreeBox>> parts(parts_for(boxes.size(), boxes_of_part));
    in_parts(loop, boxes.size(), parts.size(), [&](std::size_t part, std::size_t first, std::size_t last) {
      std::vector<TreeBox>& below = parts[part];
      for (std::size_t i = first; i < last; ++i) {
        TreeBox& box = boxes[i];
        if (!is_divided(shape, box, level)) continue;
        auto const s = divide(sources.keys, box.source, 3 * (sources.level - level - 1));
        auto const t =
            which == Targets::sources ? s : divide(targets.keys, box.target, 3 * (targets.level - level - 1));
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
    });
    std::vector<TreeBox> below;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      std::size_t const first = boxes.size() * part / parts.size(), last = boxes.size() * (part + 1) / parts.size();
      for (std::size_t i = first; i < last; ++i)
        if (!boxes[i].is_leaf()) boxes[i].first_child += std::int32_t(below.size());
      below.insert(below.end(), parts[part].begin(), parts[part].end());
    }
    if (below.empty()) break;
    levels.push_back(std::move(below));
  }
  return levels;
}

namespace {

struct BoxCounts {
  double boxes = 0, pairs = 0, siblings = 0;
};

/// Of the boxes of a level whose parents begin in part `part` of the keys.
BoxCounts count_boxes(std::span<MortonKey const> all, int shift, std::size_t part, std::size_t parts) {
  auto const bound = [&](std::size_t p) {
    std::size_t const at = all.size() * p / parts;
    if (at == 0) return all.begin();
    MortonKey const parent = all[at - 1] >> shift >> 3;
    return std::partition_point(all.begin() + std::ptrdiff_t(at), all.end(),
                                [&](MortonKey key) { return key >> shift >> 3 == parent; });
  };
  std::span<MortonKey const> const keys(bound(part), bound(part + 1));
  BoxCounts counts;
  double family = 0;
  for (std::size_t first = 0, i = 1; i <= keys.size(); ++i) {
    bool const ends = i == keys.size();
    if (!ends && (keys[i] >> shift) == (keys[first] >> shift)) continue;
    ++counts.boxes;
    ++family;
    counts.pairs += double(i - first) * double(i - first);
    if (ends || (keys[i] >> shift >> 3) != (keys[first] >> shift >> 3)) {
      counts.siblings += family * family;
      family = 0;
    }
    first = i;
  }
  return counts;
}

}  // namespace

Occupancy occupancy(SortedKeys const& sorted, int level, Loop const& loop) {
  std::span<MortonKey const> const keys(sorted.keys);
  auto const depths = std::size_t(level) + 1, parts = parts_for(keys.size(), 1 << 16, 32);
  std::vector<BoxCounts> counts(depths * parts);
  loop(counts.size(),
       [&](std::size_t i) { counts[i] = count_boxes(keys, 3 * (sorted.level - int(i / parts)), i % parts, parts); });
  Occupancy result{std::vector<double>(depths), std::vector<double>(depths), std::vector<double>(depths)};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    result.boxes[i / parts] += counts[i].boxes;
    result.pairs[i / parts] += counts[i].pairs;
    result.siblings[i / parts] += counts[i].siblings;
  }
  for (std::size_t d = 0; d < depths; ++d) result.siblings[d] /= result.boxes[d];
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
