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

/// A box by its key on its level, and how many points it has.
struct Crowd {
  MortonKey key;
  std::uint32_t points;
};

/// Of the boxes of a level whose parents begin in part `part` of the items: sorted points or parts of boxes, which
/// `at(i)` tells of. Adds the parents.
template <class At>
BoxCounts count_boxes(std::size_t items, At const& at, std::size_t part, std::size_t parts,
                      std::vector<Crowd>& parents) {
  auto const bound = [&](std::size_t p) {
    std::size_t near = items * p / parts;
    if (near == 0) return near;
    MortonKey const parent = at(near - 1).key >> 3;
    std::size_t last = items;
    while (near < last) {
      std::size_t const middle = near + (last - near) / 2;
      if (at(middle).key >> 3 == parent) near = middle + 1;
      else last = middle;
    }
    return near;
  };
  BoxCounts counts;
  for (std::size_t i = bound(part), last = bound(part + 1); i < last;) {
    Crowd parent{at(i).key >> 3, 0};
    double family = 0;
    while (i < last && at(i).key >> 3 == parent.key) {
      Crowd box = at(i);
      for (++i; i < last && at(i).key == box.key; ++i) box.points += at(i).points;
      counts.pairs += double(box.points) * double(box.points);
      parent.points += box.points;
      ++family;
    }
    counts.boxes += family;
    counts.siblings += family * family;
    parents.push_back(parent);
  }
  return counts;
}

}  // namespace

/// From the deepest level up, where the boxes of a level stand for their points on the next.
Occupancy occupancy(SortedKeys const& sorted, int level, Loop const& loop) {
  auto const depths = std::size_t(level) + 1;
  Occupancy result{std::vector<double>(depths), std::vector<double>(depths), std::vector<double>(depths)};
  BulkVector<Crowd> boxes;
  auto const count = [&](std::size_t depth, std::size_t items, auto const& at) {
    auto const parts = parts_for(items, 1 << 16, 32);
    std::vector<BoxCounts> counts(parts);
    std::vector<std::vector<Crowd>> parents(parts);
    loop(parts, [&](std::size_t p) { counts[p] = count_boxes(items, at, p, parts, parents[p]); });
    for (BoxCounts const& c : counts) {
      result.boxes[depth] += c.boxes;
      result.pairs[depth] += c.pairs;
      result.siblings[depth] += c.siblings;
    }
    result.siblings[depth] /= result.boxes[depth];
    std::vector<std::size_t> first{0};
    for (auto const& p : parents) first.push_back(first.back() + p.size());
    boxes = BulkVector<Crowd>(first.back());
    loop(parts, [&](std::size_t p) { std::ranges::copy(parents[p], boxes.begin() + std::ptrdiff_t(first[p])); });
  };
  int const shift = 3 * (sorted.level - level);
  count(depths - 1, sorted.keys.size(), [&](std::size_t i) { return Crowd{sorted.keys[i] >> shift, 1}; });
  for (std::size_t d = depths - 1; d-- > 0;) count(d, boxes.size(), [&](std::size_t i) { return boxes[i]; });
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
