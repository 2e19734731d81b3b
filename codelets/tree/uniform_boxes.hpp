// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/on_host.hpp"
#include "core/tree/vectors.hpp"

namespace nearfar {

/// How many boxes a tree has on each level, whose leaves are all on the last one. On a level they are in the order of
/// their keys; levels follow each other in all arrays.
struct BoxCounts {
  static constexpr int most_levels = 12;
  int depth = 0, separation = 1;
  bool periodic = false;
  std::int32_t boxes[most_levels] = {};

  NEARFAR_FUNCTION std::int64_t first(int level) const {
    std::int64_t sum = 0;
    for (int l = 0; l < level; ++l) sum += boxes[l];
    return sum;
  }
  NEARFAR_FUNCTION std::int64_t all() const { return first(depth + 1); }
  NEARFAR_FUNCTION int width() const { return 2 * separation + 1; }
  NEARFAR_FUNCTION int near() const { return width() * width() * width(); }
  /// The displacement of near box `i`.
  NEARFAR_FUNCTION void way(int i, std::int32_t d[3]) const {
    d[2] = i % width() - separation;
    d[1] = i / width() % width() - separation;
    d[0] = i / width() / width() - separation;
  }
  NEARFAR_FUNCTION int number_of_way(std::int32_t const d[3]) const {
    return ((d[0] + separation) * width() + d[1] + separation) * width() + d[2] + separation;
  }
};

/// Boxes, numbered on their level.
struct BoxArrays {
  MortonKey* key;
  std::int32_t* parent;
  std::int32_t* first_child;
  std::int32_t* children;  ///< a bit for each octant that is occupied
  std::int32_t* near;      ///< [box][displacement]: which box is there, maybe in another image of the cell; -1: none
};

/// One level of the boxes of a tree.
struct BoxLevel {
  BoxCounts counts;
  BoxArrays all;
  int level;

  NEARFAR_FUNCTION BoxLevel at(int other) const { return {counts, all, other}; }
  NEARFAR_FUNCTION std::int64_t size() const { return counts.boxes[level]; }
  NEARFAR_FUNCTION MortonKey& key(std::int64_t b) const { return all.key[counts.first(level) + b]; }
  NEARFAR_FUNCTION std::int32_t& parent(std::int64_t b) const { return all.parent[counts.first(level) + b]; }
  NEARFAR_FUNCTION std::int32_t& first_child(std::int64_t b) const { return all.first_child[counts.first(level) + b]; }
  NEARFAR_FUNCTION std::int32_t& children(std::int64_t b) const { return all.children[counts.first(level) + b]; }
  NEARFAR_FUNCTION std::int32_t& near(std::int64_t b, int way) const {
    return all.near[(counts.first(level) + b) * counts.near() + way];
  }
  /// The child of box b in an octant, on the next level; -1: none.
  NEARFAR_FUNCTION std::int32_t child(std::int32_t b, int octant) const {
    std::int32_t const mask = children(b);
    if ((mask >> octant & 1) == 0) return -1;
    std::int32_t before = first_child(b);
    for (int o = 0; o < octant; ++o) before += mask >> o & 1;
    return before;
  }
  /// The box at an unwrapped place, at most `separation` parents away from the parent of box b; -1: none.
  NEARFAR_FUNCTION std::int32_t box_at(std::int64_t b, std::int32_t const own[3], std::int32_t const place[3]) const {
    std::int32_t way[3];
    for (int d = 0; d < 3; ++d) way[d] = (place[d] >> 1) - (own[d] >> 1);
    BoxLevel const above = at(level - 1);
    std::int32_t const other = above.near(parent(b), counts.number_of_way(way));
    return other < 0 ? -1 : above.child(other, octant_of(place[0], place[1], place[2]));
  }
};

/// 1 where a point begins another box of keys shifted by `shift`.
struct FlagBox {
  MortonKey const* keys;
  std::int64_t count;
  int shift;
  std::int32_t* flags;  ///< and one more

  NEARFAR_FUNCTION bool begins(std::int64_t i) const { return i == 0 || keys[i] >> shift != keys[i - 1] >> shift; }
  NEARFAR_FUNCTION void operator()(std::int64_t i) const { flags[i] = i < count && begins(i) ? 1 : 0; }
};

/// After the flags have been added up.
struct BeginLeaf {
  FlagBox flag;
  MortonKey* leaf;
  std::uint32_t* begin;  ///< and the end of the last

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::int32_t const number = flag.flags[i];
    if (i == flag.count) begin[number] = std::uint32_t(i);
    else if (flag.begins(i)) {
      leaf[number] = flag.keys[i] >> flag.shift;
      begin[number] = std::uint32_t(i);
    }
  }
};

/// The leaves on level `depth` of points with these keys, of level `level`.
template <class Device>
void find_leaves(Device& device, MortonKey const* keys, std::int64_t points, int level, int depth, MortonKey* leaf,
                 std::uint32_t* begin) {
  FlagBox const flag{keys, points, 3 * (level - depth), device.template room<std::int32_t>(points + 1)};
  device.for_all(points + 1, flag, "finds leaves");
  device.begin_all(flag.flags, points + 1);
  device.for_all(points + 1, BeginLeaf{flag, leaf, begin}, "finds leaves");
}

struct BeginParent {
  BoxLevel below;
  FlagBox flag;  ///< added up

  NEARFAR_FUNCTION void operator()(std::int64_t b) const {
    BoxLevel const here = below.at(below.level - 1);
    bool const begins = flag.begins(b);
    std::int32_t const number = flag.flags[b] - (begins ? 0 : 1);
    below.parent(b) = number;
    if (!begins) return;
    here.key(number) = flag.keys[b] >> 3;
    here.first_child(number) = std::int32_t(b);
  }
};

struct FindChildren {
  BoxLevel here;

  NEARFAR_FUNCTION void operator()(std::int64_t b) const {
    if (here.level == 0) here.parent(b) = -1;
    std::int32_t mask = 0;
    if (here.level < here.counts.depth) {
      std::int64_t const end = b + 1 < here.size() ? here.first_child(b + 1) : here.at(here.level + 1).size();
      for (std::int64_t c = here.first_child(b); c < end; ++c) mask |= 1 << int(here.at(here.level + 1).key(c) & 7);
    } else {
      here.first_child(b) = 0;
    }
    here.children(b) = mask;
  }
};

struct FindNear {
  BoxLevel here;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int const ways = here.counts.near(), way = int(i % ways);
    std::int64_t const b = i / ways;
    std::int32_t d[3], own[3], place[3];
    here.counts.way(way, d);
    if (here.level == 0) {
      here.near(b, way) = here.counts.periodic || (d[0] == 0 && d[1] == 0 && d[2] == 0) ? 0 : -1;
      return;
    }
    place_of_key(here.key(b), own);
    for (int k = 0; k < 3; ++k) place[k] = own[k] + d[k];
    here.near(b, way) = here.box_at(b, own, place);
  }
};

struct CopyKey {
  MortonKey const* from;
  MortonKey* to;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

/// All boxes above the leaves, and which are near each other.
template <class Device>
void make_boxes(Device& device, BoxCounts const& counts, MortonKey const* leaf, BoxArrays const& out) {
  auto const level = [&](int l) { return BoxLevel{counts, out, l}; };
  constexpr char makes[] = "makes boxes";
  device.for_all(counts.boxes[counts.depth], CopyKey{leaf, out.key + counts.first(counts.depth)}, makes);
  auto* const flags = device.template room<std::int32_t>(counts.boxes[counts.depth] + 1);
  for (int l = counts.depth; l > 0; --l) {
    FlagBox const flag{out.key + counts.first(l), counts.boxes[l], 3, flags};
    device.for_all(counts.boxes[l] + 1, flag, makes);
    device.begin_all(flags, counts.boxes[l] + 1);
    device.for_all(counts.boxes[l], BeginParent{level(l), flag}, makes);
  }
  for (int l = 0; l <= counts.depth; ++l) device.for_all(counts.boxes[l], FindChildren{level(l)}, makes);
  for (int l = 0; l <= counts.depth; ++l)
    device.for_all(std::int64_t(counts.boxes[l]) * counts.near(), FindNear{level(l)}, makes);
}

}  // namespace nearfar
