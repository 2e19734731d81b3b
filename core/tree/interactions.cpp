// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/interactions.hpp"

#include <algorithm>
#include <cstdlib>

namespace nearfar {

InteractionLists::InteractionLists(Tree const& tree, std::uint32_t few, KeptLists kept) : tree_(tree), few_(few) {
  if (kept == KeptLists::none) return;
  Interactions unused;
  for (int level = 0; level <= tree.depth(); ++level) {
    auto const& boxes = tree.levels[std::size_t(level)];
    NearBoxes same, larger;
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      same.first.push_back(same.seen.size());
      larger.first.push_back(larger.seen.size());
      if (boxes[b].is_leaf() || boxes[b].targets() == 0) continue;
      Near near;
      separate(level, int(b), near_parent(level, int(b)), near, unused);
      same.seen.insert(same.seen.end(), near.same_level.begin(), near.same_level.end());
      larger.seen.insert(larger.seen.end(), near.larger.begin(), near.larger.end());
    }
    same.first.push_back(same.seen.size());
    larger.first.push_back(larger.seen.size());
    same_level_.push_back(std::move(same));
    larger_.push_back(std::move(larger));
  }
}

InteractionLists::Near InteractionLists::near_parent(int level, int box) const {
  Near near;
  if (level == 0) return near;
  auto const parent = std::size_t(tree_.levels[std::size_t(level)][std::size_t(box)].parent);
  if (same_level_.empty()) {
    Interactions unused;
    separate(level - 1, int(parent), near_parent(level - 1, int(parent)), near, unused);
    return near;
  }
  auto const pick = [&](NearBoxes const& all) {
    auto const begin = all.seen.begin();
    return std::vector<SeenBox>(begin + std::ptrdiff_t(all.first[parent]),
                                begin + std::ptrdiff_t(all.first[parent + 1]));
  };
  near.same_level = pick(same_level_[std::size_t(level) - 1]);
  near.larger = pick(larger_[std::size_t(level) - 1]);
  return near;
}

bool InteractionLists::is_near(TreeBox const& box, int level, SeenBox const& other) const {
  if (level == other.level) {
    auto const& at = tree_.levels[std::size_t(level)][std::size_t(other.box)].at;
    for (int d = 0; d < 3; ++d)
      if (std::abs(box.at[d] - at[d] - other.image[d] * (1 << level)) > tree_.shape.separation) return false;
    return true;
  }
  // On the level of the smaller one: how many places lie between.
  int const down = std::abs(level - other.level), width = 1 << down;
  for (int d = 0; d < 3; ++d) {
    int const small = level >= other.level ? box.at[d] : other.at(tree_, d);
    int const large = (level >= other.level ? other.at(tree_, d) : box.at[d]) * width;
    int const distance = small < large ? large - small : std::max(0, small - (large + width - 1));
    if (distance > tree_.shape.separation) return false;
  }
  return true;
}

void InteractionLists::separate(int level, int box, Near const& parent, Near& near, Interactions& out) const {
  TreeBox const& target = tree_.levels[std::size_t(level)][std::size_t(box)];
  if (level == 0) {
    int const reach = tree_.shape.periodic ? tree_.shape.separation : 0;
    for (int x = -reach; x <= reach; ++x)
      for (int y = -reach; y <= reach; ++y)
        for (int z = -reach; z <= reach; ++z) near.same_level.push_back({0, 0, {x, y, z}});
    return;
  }
  auto const keep_larger = [&](SeenBox const& leaf) {
    bool const pair_by_pair = target.targets() <= few_ || is_near(target, level, leaf);
    (pair_by_pair ? near.larger : out.x).push_back(leaf);
  };
  for (SeenBox const& seen : parent.same_level) {
    TreeBox const& source = tree_.levels[std::size_t(seen.level)][std::size_t(seen.box)];
    if (source.is_leaf()) {
      keep_larger(seen);
      continue;
    }
    for (int c = 0; c < source.children; ++c) {
      SeenBox const child{level, source.first_child + c, {seen.image[0], seen.image[1], seen.image[2]}};
      if (tree_.levels[std::size_t(level)][std::size_t(child.box)].sources() == 0) continue;
      (is_near(target, level, child) ? near.same_level : out.v).push_back(child);
    }
  }
  for (SeenBox const& seen : parent.larger) keep_larger(seen);
}

void InteractionLists::descend(TreeBox const& target, int level, SeenBox const& inner, Interactions& out) const {
  TreeBox const& box = tree_.levels[std::size_t(inner.level)][std::size_t(inner.box)];
  for (int c = 0; c < box.children; ++c) {
    SeenBox const seen{inner.level + 1, box.first_child + c, {inner.image[0], inner.image[1], inner.image[2]}};
    TreeBox const& child = tree_.levels[std::size_t(seen.level)][std::size_t(seen.box)];
    if (child.sources() == 0) continue;
    bool const pair_by_pair = child.sources() <= few_ || is_near(target, level, seen);
    if (!pair_by_pair) out.w.push_back(seen);
    else if (child.is_leaf()) out.u.push_back(seen);
    else descend(target, level, seen, out);
  }
}

void InteractionLists::of(int level, int box, Interactions& out) const {
  for (auto* list : {&out.u, &out.v, &out.w, &out.x}) list->clear();
  Near near;
  separate(level, box, near_parent(level, box), near, out);
  TreeBox const& target = tree_.levels[std::size_t(level)][std::size_t(box)];
  if (!target.is_leaf()) return;
  for (SeenBox const& seen : near.same_level) {
    TreeBox const& source = tree_.levels[std::size_t(seen.level)][std::size_t(seen.box)];
    if (source.is_leaf()) out.u.push_back(seen);
    else descend(target, level, seen, out);
  }
  out.u.insert(out.u.end(), near.larger.begin(), near.larger.end());
}

}  // namespace nearfar
