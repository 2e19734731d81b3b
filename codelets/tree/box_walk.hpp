// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/boxes.hpp"

namespace nearfar {

/// A box, maybe in another image of the cell.
struct ImageBox {
  std::int32_t box, level, image[3];
};

/// The lists of one box, as InteractionLists (core/tree/lists) finds them and in the order that tables have: levels
/// from the root on, on a level by image and then along the curve.
struct BoxWalk {
  BoxTree tree;
  std::uint32_t few;                    ///< as there
  std::uint8_t const* order = nullptr;  ///< as OrderNear writes it; not read by what is done `on_way`

  /// A target.
  struct Seer {
    std::int32_t box, level, at[3];
  };
  NEARFAR_FUNCTION Seer seer(std::int32_t box, int level) const {
    Seer from{box, level, {}};
    place_of_key(tree.all.key[box], from.at);
    return from;
  }
  /// The box of an upper level that holds it; `box` is its number, where that is needed.
  NEARFAR_FUNCTION static Seer above(Seer const& from, int level, std::int32_t box) {
    Seer up{box, level, {}};
    for (int d = 0; d < 3; ++d) up.at[d] = from.at[d] >> (from.level - level);
    return up;
  }

  /// Places between boxes of two levels, on the level of the smaller one, are at most `separation`.
  NEARFAR_FUNCTION bool is_near(Seer const& from, ImageBox const& other) const {
    std::int32_t at[3];
    place_of_key(tree.all.key[other.box], at);
    bool const smaller = from.level >= other.level;
    int const down = smaller ? from.level - other.level : other.level - from.level, width = 1 << down;
    for (int d = 0; d < 3; ++d) {
      std::int32_t const place = at[d] + other.image[d] * (1 << other.level);
      std::int32_t const small = smaller ? from.at[d] : place, large = (smaller ? place : from.at[d]) * width,
                         beyond = small - (large + width - 1);
      std::int32_t const distance = small < large ? large - small : beyond > 0 ? beyond : 0;
      if (distance > tree.counts.separation) return false;
    }
    return true;
  }

  /// Boxes near one of the same level, in order.
  template <class Visit>
  NEARFAR_FUNCTION void visit_near(Seer const& from, Visit const& visit) const {
    int const ways = tree.counts.near();
    std::uint8_t const* const in_order = order + std::int64_t(from.box) * ways;
    ImageBox found;
    for (int k = 0; k < ways && in_order[k] != BoxCounts::no_way; ++k)
      if (find_on_way(from, in_order[k], found)) visit(found);
  }

  /// Leaves of upper level `level` that a box gets from its parent there: those that are near box `last` among its
  /// parents, the last one with more than `few` targets, or no smaller than it.
  template <class Visit>
  NEARFAR_FUNCTION void visit_larger(Seer const& from, int level, int last, Visit const& visit) const {
    if (tree.counts.leaves[level] == 0) return;
    std::int32_t parent = from.box;
    for (int k = from.level; k > level; --k) parent = tree.all.parent[parent];
    visit_near(above(from, level, parent), [&](ImageBox const& leaf) {
      if (tree.is_leaf(leaf.box) && is_kept(from, last, leaf)) visit(leaf);
    });
  }
  NEARFAR_FUNCTION bool is_kept(Seer const& from, int last, ImageBox const& leaf) const {
    return leaf.level >= last || is_near(above(from, last, 0), leaf);
  }
  /// The last level on its path with more than `few` targets, or the root's.
  NEARFAR_FUNCTION int last_with_targets(Seer const& from) const {
    int last = from.level;
    for (std::int32_t b = from.box; last > 0 && tree.targets(b) <= few; b = tree.all.parent[b]) --last;
    return last;
  }

  /// X: leaves near the parent, but not near the box.
  template <class Visit>
  NEARFAR_FUNCTION void visit_x(Seer const& from, Visit const& visit) const {
    if (from.level == 0 || tree.targets(from.box) <= few) return;
    for (int level = 0; level < from.level; ++level)
      visit_larger(from, level, from.level - 1, [&](ImageBox const& leaf) {
        if (!is_near(from, leaf)) visit(leaf);
      });
  }

  /// What is within an inner box near a leaf, down to level `last`, in order: what is summed pair by pair, and what is
  /// not near.
  template <class Pairs, class Far>
  NEARFAR_FUNCTION void descend(Seer const& from, ImageBox const& inner, int last, Pairs const& pairs,
                                Far const& far) const {
    ImageBox seen = inner;
    seen.level += 1;
    seen.box = tree.all.first_child[inner.box];
    for (;;) {
      bool down = false;
      if (tree.sources(seen.box) > 0) {
        if (tree.sources(seen.box) > few && !is_near(from, seen)) {
          far(seen);
        } else {
          pairs(seen);
          down = !tree.is_leaf(seen.box) && seen.level < last;
        }
      }
      if (down) {
        seen.box = tree.all.first_child[seen.box];
        ++seen.level;
        continue;
      }
      for (;;) {  // until there is a next sibling
        std::int32_t const parent = tree.all.parent[seen.box];
        if (seen.box + 1 < tree.all.first_child[parent] + bits_of(std::uint32_t(tree.all.children[parent]))) break;
        if (parent == inner.box) return;
        seen.box = parent;
        --seen.level;
      }
      ++seen.box;
    }
  }

  /// U of a leaf, as far as it is on this level.
  template <class Visit>
  NEARFAR_FUNCTION void visit_u(Seer const& from, int level, Visit const& visit) const {
    if (level < from.level) return visit_larger(from, level, last_with_targets(from), visit);
    visit_near(from, [&](ImageBox const& seen) {
      bool const leaf = tree.is_leaf(seen.box);
      if (leaf && level == from.level) visit(seen);
      if (leaf || level == from.level) return;
      descend(
          from, seen, level,
          [&](ImageBox const& box) {
            if (box.level == level && tree.is_leaf(box.box)) visit(box);
          },
          [](ImageBox const&) {});
    });
  }
  /// W of a leaf within near box `k`, in the order in which core/tree finds it: not by level.
  template <class Visit>
  NEARFAR_FUNCTION void visit_w(Seer const& from, int k, Visit const& visit) const {
    if (from.level == tree.counts.depth) return;
    std::uint8_t const way = order[std::int64_t(from.box) * tree.counts.near() + k];
    ImageBox seen;
    if (way != BoxCounts::no_way && find_on_way(from, way, seen) && !tree.is_leaf(seen.box))
      descend(
          from, seen, tree.counts.depth, [](ImageBox const&) {}, visit);
  }

  /// What a box sees in one direction: the near box there and those near the boxes that hold it; in any order.
  template <class Visit>
  NEARFAR_FUNCTION void visit_larger_on_way(Seer const& from, int last, int way, Visit const& visit) const {
    Seer up = from;
    while (up.level > 0) {
      up = above(up, up.level - 1, tree.all.parent[up.box]);
      ImageBox leaf;
      if (find_on_way(up, way, leaf) && tree.is_leaf(leaf.box) && is_kept(from, last, leaf)) visit(leaf);
    }
  }
  template <class Visit>
  NEARFAR_FUNCTION void visit_x_on_way(Seer const& from, int way, Visit const& visit) const {
    if (from.level == 0 || tree.targets(from.box) <= few) return;
    visit_larger_on_way(from, from.level - 1, way, [&](ImageBox const& leaf) {
      if (!is_near(from, leaf)) visit(leaf);
    });
  }
  template <class Pairs, class Far>
  NEARFAR_FUNCTION void visit_u_and_w_on_way(Seer const& from, int way, Pairs const& pairs, Far const& far) const {
    visit_larger_on_way(from, last_with_targets(from), way, pairs);
    ImageBox seen;
    if (!find_on_way(from, way, seen)) return;
    if (tree.is_leaf(seen.box)) return pairs(seen);
    descend(
        from, seen, tree.counts.depth,
        [&](ImageBox const& box) {
          if (tree.is_leaf(box.box)) pairs(box);
        },
        far);
  }

 private:
  NEARFAR_FUNCTION bool find_on_way(Seer const& from, int way, ImageBox& found) const {
    std::int32_t d[3];
    tree.counts.way(way, d);
    found.box = tree.near_box(from.box, way);
    found.level = from.level;
    for (int k = 0; k < 3; ++k) found.image[k] = (from.at[k] + d[k]) >> from.level;
    return found.box >= 0;
  }
};

/// Joins boxes that follow each other in memory to runs of points.
struct RunJoiner {
  std::int32_t level = -1, part = 0, last = 0, image[3] = {};

  /// Whether a box of this part, whose points are `first` .. `end` of its block, begins a run.
  NEARFAR_FUNCTION bool begins(ImageBox const& box, int of_part, std::int32_t first, std::int32_t end) {
    bool const joins = box.level == level && of_part == part && first == last && box.image[0] == image[0] &&
                       box.image[1] == image[1] && box.image[2] == image[2];
    level = box.level;
    part = of_part;
    last = end;
    for (int d = 0; d < 3; ++d) image[d] = box.image[d];
    return !joins;
  }
};

}  // namespace nearfar
