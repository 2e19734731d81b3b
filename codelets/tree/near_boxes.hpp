// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/boxes.hpp"

namespace nearfar {

struct FindNear {
  BoxTree tree;
  int level;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    BoxCounts const& counts = tree.counts;
    int const ways = counts.near(), way = int(i % ways);
    std::int32_t const b = counts.begin[level] + std::int32_t(i / ways);
    std::int32_t& out = tree.near[std::int64_t(b) * ways + way];
    std::int32_t d[3], own[3], place[3];
    counts.way(way, d);
    if (level == 0) {
      out = counts.periodic || (d[0] == 0 && d[1] == 0 && d[2] == 0) ? 0 : -1;
      return;
    }
    place_of_key(tree.all.key[b], own);
    for (int k = 0; k < 3; ++k) place[k] = own[k] + d[k];
    out = tree.box_at(b, own, place);
  }
};

/// Boxes in the order of blocks.
struct PutInBlock {
  BoxTree tree;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    auto const b = std::int32_t(i);
    tree.in_block[tree.place(b, tree.counts.level_of(b))] = b;
  }
};

template <class Device>
void find_near(Device& device, BoxTree const& tree) {
  device.for_all(tree.counts.all(), PutInBlock{tree}, "puts boxes into blocks");
  for (int l = 0; l <= tree.counts.depth; ++l)
    device.for_all(std::int64_t(tree.counts.size(l)) * tree.counts.near(), FindNear{tree, l}, "finds near boxes");
}

}  // namespace nearfar
