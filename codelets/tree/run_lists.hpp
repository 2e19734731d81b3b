// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/table_counts.hpp"
#include "core/tree/tables.hpp"

namespace nearfar {

// Run tables. Each box has at most one interaction with each key, so that a thread for each key and each range of boxes
// finds them in the order in which tables have them.

/// Which interactions a block has: `operator()` returns the source of box b for a key; -1: none.
struct Children {
  BoxTree tree;
  BoxBlock block;
  static constexpr ReadBy reader = ReadBy::m2m;
  NEARFAR_FUNCTION static int keys(int) { return 8; }
  NEARFAR_FUNCTION int source_level() const { return block.level + 1; }
  NEARFAR_FUNCTION std::int32_t operator()(std::int32_t b, int key) const {
    std::int32_t const child = tree.child(b, key);
    return child >= 0 && tree.sources(child) > 0 ? child : -1;
  }
};
struct Parents {
  BoxTree tree;
  BoxBlock block;
  static constexpr ReadBy reader = ReadBy::l2l;
  NEARFAR_FUNCTION static int keys(int) { return 8; }
  NEARFAR_FUNCTION int source_level() const { return block.level - 1; }
  NEARFAR_FUNCTION std::int32_t operator()(std::int32_t b, int key) const {
    return int(tree.all.key[b] & 7) == key && tree.targets(b) > 0 ? tree.all.parent[b] : -1;
  }
};
/// Parents near, themselves not.
struct FarBoxes {
  BoxTree tree;
  BoxBlock block;
  static constexpr ReadBy reader = ReadBy::m2l;
  NEARFAR_FUNCTION static int keys(int separation) { return vector_count(separation); }
  NEARFAR_FUNCTION int source_level() const { return block.level; }
  NEARFAR_FUNCTION std::int32_t operator()(std::int32_t b, int key) const {
    int const separation = tree.counts.separation;
    int way[3];
    vector_of(key, separation, way);
    std::int32_t own[3], place[3];
    place_of_key(tree.all.key[b], own);
    bool far = false;
    for (int d = 0; d < 3; ++d) {
      place[d] = own[d] - way[d];
      std::int32_t const parents = (place[d] >> 1) - (own[d] >> 1);
      if (parents > separation || parents < -separation) return -1;
      far = far || way[d] > separation || way[d] < -separation;
    }
    return far && tree.targets(b) > 0 ? tree.box_at(b, own, place) : -1;
  }
};

/// The counts of one list.
struct ListCounts {
  std::int32_t* begin;  ///< [key][range], and those of the next list
  std::int32_t* run;    ///< [key], and those of the next list
  int number, keys;
  std::int32_t boxes;

  /// Boxes that a thread looks at for one key: few where there are few, since each waits for memory.
  NEARFAR_FUNCTION int range() const {
    constexpr std::int64_t threads = 1 << 17, most = 64, least = 4;
    std::int64_t const wanted = std::int64_t(keys) * boxes / threads;
    return int(wanted < least ? least : wanted > most ? most : wanted);
  }
  NEARFAR_FUNCTION int ranges() const { return (boxes + range() - 1) / range(); }
  /// Of thread i: its key, and its boxes.
  NEARFAR_FUNCTION int key(std::int64_t i) const { return int(i % keys); }
  NEARFAR_FUNCTION std::int32_t first(std::int64_t i) const { return std::int32_t(i / keys) * range(); }
  NEARFAR_FUNCTION std::int32_t last(std::int64_t i) const {
    return first(i) + range() < boxes ? first(i) + range() : boxes;
  }
  /// Where its interactions are counted.
  NEARFAR_FUNCTION std::int64_t place(std::int64_t i) const { return std::int64_t(key(i)) * ranges() + i / keys; }
  NEARFAR_FUNCTION std::int64_t size() const { return std::int64_t(keys) * ranges(); }

  NEARFAR_FUNCTION std::int32_t at(std::int64_t i) const { return begin[i] - begin[0]; }
  NEARFAR_FUNCTION std::int32_t key_begin(int key) const { return at(std::int64_t(key) * ranges()); }
  NEARFAR_FUNCTION std::int32_t key_size(int key) const { return key_begin(key + 1) - key_begin(key); }
  NEARFAR_FUNCTION std::int32_t runs() const { return run[keys] - run[0]; }
};

/// Calls visit(list, counts) for the lists that solves with a tree need: those of boxes with expansions, from level
/// `top` on, with the places of their counts in `memory`. Returns how much is counted. `parts`: those of the tree, for
/// the host.
template <class Visit>
TableCounts for_each_list(BoxTree const& tree, PartBegins const& parts, int top, std::int32_t* memory,
                          Visit const& visit) {
  TableCounts sizes{tree.counts, top, memory, nullptr};
  BoxCounts const& counts = tree.counts;
  BoxTree const outline = outline_of(counts, parts);
  auto const each = [&](auto const& counted) {
    for (int number = 2 * top * counts.parts; number < sizes.blocks(); ++number) {
      BoxBlock const block = BoxBlock::of(number, counts.parts);
      if (outline.size(block) == 0) continue;
      if (!block.of_leaves) counted(Children{tree, block});
      if (block.level > top) counted(Parents{tree, block});
      if (block.level > 0) counted(FarBoxes{tree, block});
    }
  };
  auto const counts_of = [&](auto const& list, TableCounts const& before, std::int32_t* runs) {
    return ListCounts{memory + before.interactions, runs + before.keys, before.lists, list.keys(counts.separation),
                      outline.size(list.block)};
  };
  auto const add = [](TableCounts& to, ListCounts const& list) {
    to.interactions += list.size();
    to.keys += list.keys;
    ++to.lists;
  };
  each([&](auto const& list) { add(sizes, counts_of(list, sizes, memory)); });
  TableCounts next{counts, top, memory, nullptr};
  each([&](auto const& list) {
    ListCounts const here = counts_of(list, next, sizes.run_numbers());
    add(next, here);
    visit(list, here);
  });
  return sizes;
}
inline TableCounts table_counts(BoxTree const& tree, PartBegins const& parts, int top, std::int32_t* memory,
                                std::uint64_t* totals) {
  TableCounts counts = for_each_list(tree, parts, top, memory, [](auto const&, ListCounts const&) {});
  counts.totals = totals;
  return counts;
}

template <class List>
struct CountInteractions {
  List list;
  ListCounts counts;
  TableCounts tables;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int const key = counts.key(i), parts = tables.counts.parts;
    std::int32_t const* const box = list.tree.in_block + list.tree.begin(list.block);
    std::int32_t found = 0;
    int last = -1;  // block that was read
    for (std::int32_t b = counts.first(i); b < counts.last(i); ++b) {
      std::int32_t const source = list(box[b], key);
      if (source < 0) continue;
      ++found;
      int const read = list.tree.block_of(source, list.source_level()).number(parts);
      if (read != last) tables.mark_read(List::reader, list.block.number(parts), read);
      last = read;
    }
    counts.begin[counts.place(i)] = found;
  }
};
struct FlagRun {
  ListCounts counts;

  NEARFAR_FUNCTION void operator()(std::int64_t key) const { counts.run[key] = counts.key_size(int(key)) > 0 ? 1 : 0; }
};
/// Interactions and runs of a list.
struct TakeList {
  ListCounts counts;
  std::uint64_t* totals;

  NEARFAR_FUNCTION void operator()(std::int64_t) const {
    totals[0] = std::uint64_t(counts.key_begin(counts.keys));
    totals[1] = std::uint64_t(counts.runs());
  }
};
template <class Device>
void count_lists(Device& device, BoxTree const& tree, PartBegins const& parts, TableCounts const& tables) {
  constexpr char what[] = "counts interactions";
  auto const each = [&](auto const& visit) { for_each_list(tree, parts, tables.top, tables.memory, visit); };
  each([&](auto const& list, ListCounts const& counts) {
    using List = std::decay_t<decltype(list)>;
    device.for_all(counts.size(), CountInteractions<List>{list, counts, tables}, what);
  });
  begin_counts(device, tables.memory, tables.interactions);
  each([&](auto const&, ListCounts const& counts) { device.for_all(counts.keys, FlagRun{counts}, what); });
  begin_counts(device, tables.run_numbers(), tables.keys);
  each([&](auto const&, ListCounts const& counts) {
    device.for_all(1, TakeList{counts, tables.of_list(counts.number)}, what);
  });
}

/// Interactions of one range of boxes with one key, and what is before them in the table.
template <class List>
struct WriteInteractions {
  List list;
  ListCounts counts;
  TableCounts tables;
  std::int32_t* words;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int const key = counts.key(i), runs = counts.runs(), level = list.source_level();
    if (i == 0) {
      words[0] = runs;
      words[1] = counts.key_begin(counts.keys);
      words[2] = words[3] = 0;
    }
    auto* const interaction = reinterpret_cast<Interaction*>(words + RunTable::head + 3 * std::int64_t(runs));
    if (i < counts.keys && counts.key_size(key) > 0)
      reinterpret_cast<Run*>(words + RunTable::head)[counts.run[key] - counts.run[0]] = {key, counts.key_begin(key),
                                                                                         counts.key_size(key)};
    int const parts = tables.counts.parts, own = list.block.number(parts);
    std::int32_t const* const box = list.tree.in_block + list.tree.begin(list.block);
    std::int64_t next = counts.at(counts.place(i));
    for (std::int32_t b = counts.first(i); b < counts.last(i); ++b)
      if (std::int32_t const source = list(box[b], key); source >= 0) {
        BoxBlock const block = list.tree.block_of(source, level);
        interaction[next++] = {b, tables.buffer(List::reader, own, block.number(parts)),
                               list.tree.place(source, level) - list.tree.begin(block)};
      }
  }
};
template <class List, class Device>
void write_list(Device& device, List const& list, ListCounts const& counts, TableCounts const& tables,
                std::int32_t* words) {
  device.for_all(counts.size(), WriteInteractions<List>{list, counts, tables, words}, "writes interactions");
}

}  // namespace nearfar
