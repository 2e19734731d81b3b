// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/lists/interactions.hpp"

#include <algorithm>
#include <cstdlib>

namespace nearfar {

void InteractionLists::NearBoxes::append(NearBoxes const& next) {
  for (std::size_t i = 1; i < next.first.size(); ++i) first.push_back(seen.size() + next.first[i]);
  seen.insert(seen.end(), next.seen.begin(), next.seen.end());
}

InteractionLists::InteractionLists(Tree const& tree, std::uint32_t few, KeptLists kept, Loop const& loop)
    : tree_(tree), few_(few) {
  constexpr std::size_t boxes_of_part = 128;
  if (kept == KeptLists::none) return;
  for (int level = 0; level <= tree.depth(); ++level) {
    auto const& boxes = tree.levels[std::size_t(level)];
    struct Part {
      NearBoxes same_level{{0}, {}}, larger{{0}, {}};
    };
    std::vector<Part> parts(parts_for(boxes.size(), boxes_of_part));
    in_parts(loop, boxes.size(), parts.size(), [&](std::size_t p, std::size_t first, std::size_t last) {
      Part& part = parts[p];
      for (std::size_t b = first; b < last; ++b) {
        if (!boxes[b].is_leaf() && boxes[b].targets() > 0)
          find(level, int(b), {part.same_level.seen, part.larger.seen, nullptr, nullptr});
        part.same_level.end_box();
        part.larger.end_box();
      }
    });
    NearBoxes &same = same_level_.emplace_back(NearBoxes{{0}, {}}), &larger = larger_.emplace_back(NearBoxes{{0}, {}});
    for (Part const& part : parts) {
      same.append(part.same_level);
      larger.append(part.larger);
    }
  }
}

/// Appends to `found`. On levels whose lists are not kept, those of the boxes above are computed again.
void InteractionLists::find(int level, int box, Found const& found) const {
  if (level == 0) return separate(level, box, {}, found);
  auto const above = std::size_t(level) - 1;
  int const parent = tree_.levels[std::size_t(level)][std::size_t(box)].parent;
  if (same_level_.size() > above) {
    auto const p = std::size_t(parent);
    return separate(level, box, {same_level_[above].of(p), larger_[above].of(p)}, found);
  }
  std::vector<SeenBox> same_level, larger;
  find(level - 1, parent, {same_level, larger, nullptr, nullptr});
  separate(level, box, {same_level, larger}, found);
}

bool InteractionLists::is_near(TreeBox const& box, int level, SeenBox const& other) const {
  if (level == other.level) {
    auto const& at = tree_.levels[std::size_t(level)][std::size_t(other.box)].at;
    for (int d = 0; d < 3; ++d)
      if (std::abs(box.at[d] - at[d] - other.image[d] * (1 << level)) > tree_.shape.separation) return false;
    return true;
  }
  // Compared on the level of the smaller box: the number of places between them.
  int const down = std::abs(level - other.level), width = 1 << down;
  for (int d = 0; d < 3; ++d) {
    int const small = level >= other.level ? box.at[d] : other.at(tree_, d);
    int const large = (level >= other.level ? other.at(tree_, d) : box.at[d]) * width;
    int const distance = small < large ? large - small : std::max(0, small - (large + width - 1));
    if (distance > tree_.shape.separation) return false;
  }
  return true;
}

void InteractionLists::separate(int level, int box, Near const& parent, Found const& found) const {
  TreeBox const& target = tree_.levels[std::size_t(level)][std::size_t(box)];
  int const reach = tree_.shape.separation;
  if (level == 0) {
    int const images = tree_.shape.periodic ? reach : 0;
    for (int x = -images; x <= images; ++x)
      for (int y = -images; y <= images; ++y)
        for (int z = -images; z <= images; ++z) found.same_level.push_back({0, 0, {x, y, z}});
    return;
  }
  auto const keep_larger = [&](SeenBox const& leaf) {
    if (target.targets() <= few_ || is_near(target, level, leaf)) found.larger.push_back(leaf);
    else if (found.x != nullptr) found.x->push_back(leaf);
  };
  auto const &above = tree_.levels[std::size_t(level) - 1], &boxes = tree_.levels[std::size_t(level)];
  for (SeenBox const& seen : parent.same_level) {
    TreeBox const& source = above[std::size_t(seen.box)];
    if (source.is_leaf()) {
      keep_larger(seen);
      continue;
    }
    std::int32_t at[3];  // of the target, as its image sees the cell
    for (int d = 0; d < 3; ++d) at[d] = target.at[d] - seen.image[d] * (1 << level);
    for (std::int32_t c = source.first_child; c < source.first_child + source.children; ++c) {
      TreeBox const& child = boxes[std::size_t(c)];
      if (child.sources() == 0) continue;
      int const away =
          std::max({std::abs(at[0] - child.at[0]), std::abs(at[1] - child.at[1]), std::abs(at[2] - child.at[2])});
      SeenBox const there{level, c, {seen.image[0], seen.image[1], seen.image[2]}};
      if (away <= reach) found.same_level.push_back(there);
      else if (found.v != nullptr) found.v->push_back(there);
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
  for (auto* list : {&out.u, &out.v, &out.w, &out.x, &out.same_level, &out.larger}) list->clear();
  find(level, box, {out.same_level, out.larger, &out.v, &out.x});
  TreeBox const& target = tree_.levels[std::size_t(level)][std::size_t(box)];
  if (!target.is_leaf()) return;
  for (SeenBox const& seen : out.same_level) {
    TreeBox const& source = tree_.levels[std::size_t(seen.level)][std::size_t(seen.box)];
    if (source.is_leaf()) out.u.push_back(seen);
    else descend(target, level, seen, out);
  }
  out.u.insert(out.u.end(), out.larger.begin(), out.larger.end());
}

}  // namespace nearfar
