// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/uniform_boxes.hpp"
#include "core/tree/tables.hpp"

namespace nearfar {

// The run tables of a tree whose leaves are all on one level. Each box of a level has at most one interaction with each
// key, so that a thread for each key and each range of boxes finds them in the order in which tables have them.

/// Which interactions a list has: `operator()` returns the source of box b for a key; -1: none.
struct Children {
  BoxLevel level;
  NEARFAR_FUNCTION static int keys(int) { return 8; }
  NEARFAR_FUNCTION std::int32_t operator()(std::int64_t b, int key) const { return level.child(std::int32_t(b), key); }
};
struct Parents {
  BoxLevel level;
  NEARFAR_FUNCTION static int keys(int) { return 8; }
  NEARFAR_FUNCTION std::int32_t operator()(std::int64_t b, int key) const {
    return int(level.key(b) & 7) == key ? level.parent(b) : -1;
  }
};
/// Parents near, themselves not.
struct FarBoxes {
  BoxLevel level;
  NEARFAR_FUNCTION static int keys(int separation) { return vector_count(separation); }
  NEARFAR_FUNCTION std::int32_t operator()(std::int64_t b, int key) const {
    int const separation = level.counts.separation;
    int way[3];
    vector_of(key, separation, way);
    std::int32_t own[3], place[3];
    place_of_key(level.key(b), own);
    bool far = false;
    for (int d = 0; d < 3; ++d) {
      place[d] = own[d] - way[d];
      std::int32_t const parents = (place[d] >> 1) - (own[d] >> 1);
      if (parents > separation || parents < -separation) return -1;
      far = far || way[d] > separation || way[d] < -separation;
    }
    return far ? level.box_at(b, own, place) : -1;
  }
};

/// Where the interactions of a list begin, by key and range of boxes; and the number of each run.
struct ListCounts {
  static constexpr int range = 64;
  std::int32_t* begin;  ///< [key][range], and the end
  std::int32_t* run;    ///< [key], and how many there are
  int keys, ranges;

  static ListCounts of(std::int32_t* memory, int keys, std::int64_t boxes) {
    int const ranges = int((boxes + range - 1) / range);
    return {memory, memory + std::int64_t(keys) * ranges + 1, keys, ranges};
  }
  std::int64_t size() const { return std::int64_t(keys) * ranges + keys + 2; }
  NEARFAR_FUNCTION std::int32_t key_begin(int key) const { return begin[std::int64_t(key) * ranges]; }
  NEARFAR_FUNCTION std::int32_t key_size(int key) const { return key_begin(key + 1) - key_begin(key); }
};

template <class List>
struct CountInteractions {
  List list;
  ListCounts counts;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    if (i == std::int64_t(counts.keys) * counts.ranges) {
      counts.begin[i] = 0;
      return;
    }
    int const key = int(i % counts.keys);
    std::int64_t const first = i / counts.keys * counts.range, size = list.level.size();
    std::int32_t found = 0;
    for (std::int64_t b = first; b < first + counts.range && b < size; ++b) found += list(b, key) >= 0 ? 1 : 0;
    counts.begin[std::int64_t(key) * counts.ranges + i / counts.keys] = found;
  }
};
struct FlagRun {
  ListCounts counts;

  NEARFAR_FUNCTION void operator()(std::int64_t key) const {
    counts.run[key] = key < counts.keys && counts.key_size(int(key)) > 0 ? 1 : 0;
  }
};
/// Interactions and runs of a list.
struct TakeTotals {
  ListCounts counts;
  std::uint64_t* totals;

  NEARFAR_FUNCTION void operator()(std::int64_t) const {
    totals[0] = std::uint64_t(counts.key_begin(counts.keys));
    totals[1] = std::uint64_t(counts.run[counts.keys]);
  }
};
template <class List, class Device>
void count_list(Device& device, List const& list, ListCounts const& counts, std::uint64_t* totals) {
  constexpr char what[] = "counts interactions";
  std::int64_t const all = std::int64_t(counts.keys) * counts.ranges + 1;
  device.for_all(all, CountInteractions<List>{list, counts}, what);
  device.begin_all(counts.begin, all);
  device.for_all(counts.keys + 1, FlagRun{counts}, what);
  device.begin_all(counts.run, counts.keys + 1);
  device.for_all(1, TakeTotals{counts, totals}, what);
}

/// Interactions of one range of boxes with one key, and what is before them in the table.
template <class List>
struct WriteInteractions {
  List list;
  ListCounts counts;
  std::int32_t* words;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int const key = int(i % counts.keys), runs = counts.run[counts.keys];
    std::int64_t const first = i / counts.keys * counts.range, size = list.level.size();
    if (i == 0) {
      words[0] = runs;
      words[1] = counts.key_begin(counts.keys);
      words[2] = words[3] = 0;
    }
    auto* const interaction = reinterpret_cast<Interaction*>(words + RunTable::head + 3 * std::int64_t(runs));
    if (i < counts.keys && counts.key_size(key) > 0)
      reinterpret_cast<Run*>(words + RunTable::head)[counts.run[key]] = {key, counts.key_begin(key),
                                                                         counts.key_size(key)};
    std::int64_t next = counts.begin[std::int64_t(key) * counts.ranges + i / counts.keys];
    for (std::int64_t b = first; b < first + counts.range && b < size; ++b)
      if (std::int32_t const source = list(b, key); source >= 0) interaction[next++] = {std::int32_t(b), 0, source};
  }
};
template <class List, class Device>
void write_list(Device& device, List const& list, ListCounts const& counts, std::int32_t* words) {
  device.for_all(std::int64_t(counts.keys) * counts.ranges, WriteInteractions<List>{list, counts, words},
                 "writes interactions");
}

/// Calls visit(list, number) for the lists that solves with a tree need: those of boxes with expansions, from level
/// `top` on. A list has its keys and its `level`.
template <class Visit>
void for_each_list(BoxCounts const& counts, BoxArrays const& boxes, int top, Visit const& visit) {
  int number = 0;
  for (int l = top; l <= counts.depth; ++l) {
    BoxLevel const level{counts, boxes, l};
    if (l < counts.depth) visit(Children{level}, number++);
    if (l > top) visit(Parents{level}, number++);
    if (l > 0) visit(FarBoxes{level}, number++);
  }
}

}  // namespace nearfar
