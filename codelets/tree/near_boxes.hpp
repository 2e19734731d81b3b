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

/// The ways to near boxes in the order in which tables have these: by image, on its level along the curve; after them
/// no_way: [box][place].
struct OrderNear {
  BoxTree tree;
  std::uint8_t* order;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    BoxCounts const& counts = tree.counts;
    int const ways = counts.near(), way = int(i % ways), level = counts.periodic ? counts.level_of(box(i)) : 0;
    std::int32_t at[3];
    place_of_key(tree.all.key[box(i)], at);
    auto const key = [&](int to) {
      std::int32_t const other = tree.near_box(box(i), to);
      if (other < 0) return ~std::uint64_t(0) - std::uint64_t(ways - to);
      std::uint64_t image = 0;
      if (counts.periodic) {
        std::int32_t d[3];
        counts.way(to, d);
        for (int k = 0; k < 3; ++k) image = image << 8 | std::uint64_t(((at[k] + d[k]) >> level) + 128);
      }
      return image << 32 | std::uint64_t(other);
    };
    std::uint64_t const own = key(way);
    int place = 0;
    for (int other = 0; other < ways; ++other) place += key(other) < own ? 1 : 0;
    order[i - way + place] = tree.near_box(box(i), way) < 0 ? BoxCounts::no_way : std::uint8_t(way);
  }

 private:
  NEARFAR_FUNCTION std::int32_t box(std::int64_t i) const { return std::int32_t(i / tree.counts.near()); }
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

template <class Device>
void order_near(Device& device, BoxTree const& tree, std::uint8_t* order) {
  device.for_all(std::int64_t(tree.counts.all()) * tree.counts.near(), OrderNear{tree, order}, "orders near boxes");
}

}  // namespace nearfar
