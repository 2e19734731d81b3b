// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/grow_tree.hpp"

namespace nearfar {

/// A tree with larger leaves from one of the same points whose boxes are all known: a box stays if its parent has more
/// points than a leaf may have. Boxes keep their order, so that it is the tree that GrowTree would make.
struct PruneTree {
  BoxCounts counts;  ///< of the given tree
  BoxArrays given;
  GrowTree tree;  ///< what is made, down to the last level of the given one; its points along the curve are not read
  std::int32_t* places;  ///< for each given box, how many before it stay; at last how many stay

  NEARFAR_FUNCTION bool is_divided(std::int32_t b) const {
    return given.children[b] != 0 && given.exceeds(b, tree.capacity);
  }
};

struct FlagKept {
  PruneTree prune;

  NEARFAR_FUNCTION void operator()(std::int64_t b) const {
    bool const stays = b == 0 || (b < prune.counts.all() && prune.is_divided(prune.given.parent[b]));
    prune.places[b] = stays ? 1 : 0;
  }
};
/// After the flags have been added up.
struct BeginLevel {
  PruneTree prune;

  NEARFAR_FUNCTION void operator()(std::int64_t level) const {
    prune.tree.begin[level] = prune.places[prune.counts.begin[level]];
  }
};
struct KeepBox {
  PruneTree prune;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    auto const b = std::int32_t(i);
    BoxArrays const &given = prune.given, &out = prune.tree.out;
    std::int32_t const place = prune.places[b];
    if (prune.places[b + 1] == place || place >= prune.tree.room) return;
    bool const divided = prune.is_divided(b);
    out.key[place] = given.key[b];
    out.parent[place] = b == 0 ? -1 : prune.places[given.parent[b]];
    out.children[place] = divided ? given.children[b] : 0;
    out.first_child[place] = divided ? prune.places[given.first_child[b]] : 0;
    auto const take = [&](std::uint32_t const* from, std::uint32_t* to) {
      to[2 * place] = from[2 * b];
      to[2 * place + 1] = from[2 * b + 1];
    };
    take(given.source, out.source);
    if (!prune.tree.same()) take(given.target, out.target);
  }
};

/// Writes the same numbers as grow_tree.
template <class Device>
void prune_tree(Device& device, PruneTree prune, std::uint64_t* totals) {
  constexpr char what[] = "prunes boxes";
  std::int64_t const boxes = prune.counts.all();
  int const levels = prune.tree.depth + 1;
  prune.tree.begin = device.template room<std::int32_t>(levels + 1);
  prune.places = device.template room<std::int32_t>(boxes + 1);
  device.for_all(boxes + 1, FlagKept{prune}, what);
  device.begin_all(prune.places, boxes + 1);
  device.for_all(levels + 1, BeginLevel{prune}, what);
  device.for_all(boxes, KeepBox{prune}, what);
  measure_tree(device, prune.tree, totals);
}

}  // namespace nearfar
