// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/table_counts.hpp"
#include "core/tree/tables.hpp"

#include <type_traits>
#include <utility>
#include <vector>

namespace nearfar {

// Run tables. Each box has at most one interaction with each key, so that those of a key and a range of boxes are found
// in the order in which tables have them.

/// Which interactions a block has: `operator()` returns the source of box b for a key, of which so much is known once
/// for all boxes; -1: none.
struct Children {
  BoxTree const& tree;
  BoxBlock block;
  using Key = int;
  static constexpr ReadBy reader = ReadBy::m2m;
  NEARFAR_FUNCTION static int keys(int) { return 8; }
  NEARFAR_FUNCTION Key known(int key) const { return key; }
  NEARFAR_FUNCTION int source_level() const { return block.level + 1; }
  NEARFAR_FUNCTION std::int32_t operator()(std::int32_t b, int key) const {
    std::int32_t const child = tree.child(b, key);
    return child >= 0 && tree.sources(child) > 0 ? child : -1;
  }
};
struct Parents {
  BoxTree const& tree;
  BoxBlock block;
  using Key = int;
  static constexpr ReadBy reader = ReadBy::l2l;
  NEARFAR_FUNCTION static int keys(int) { return 8; }
  NEARFAR_FUNCTION Key known(int key) const { return key; }
  NEARFAR_FUNCTION int source_level() const { return block.level - 1; }
  NEARFAR_FUNCTION std::int32_t operator()(std::int32_t b, int key) const {
    return int(tree.all.key[b] & 7) == key && tree.targets(b) > 0 ? tree.all.parent[b] : -1;
  }
};
/// Parents near, themselves not.
struct FarBoxes {
  BoxTree const& tree;
  BoxBlock block;
  struct Key {
    std::int32_t way[3];
    bool far;
  };
  static constexpr ReadBy reader = ReadBy::m2l;
  NEARFAR_FUNCTION static int keys(int separation) { return vector_count(separation); }
  NEARFAR_FUNCTION Key known(int key) const {
    int const separation = tree.counts.separation;
    Key known{{}, false};
    vector_of(key, separation, known.way);
    for (int const way : known.way) known.far = known.far || way > separation || way < -separation;
    return known;
  }
  NEARFAR_FUNCTION int source_level() const { return block.level; }
  NEARFAR_FUNCTION std::int32_t operator()(std::int32_t b, Key const& key) const {
    if (!key.far) return -1;
    int const separation = tree.counts.separation, octant = int(tree.all.key[b] & 7);
    std::int32_t own[3], place[3];  // beside the first child of its parent
    for (int d = 0; d < 3; ++d) {
      own[d] = octant >> (2 - d) & 1;
      place[d] = own[d] - key.way[d];
      std::int32_t const parents = place[d] >> 1;
      if (parents > separation || parents < -separation) return -1;
    }
    return tree.targets(b) > 0 ? tree.box_at(b, own, place) : -1;
  }
};

/// The counts of one list.
struct ListCounts {
  std::int32_t* begin;  ///< [key][range], and those of the next list
  std::int32_t* run;    ///< [key], and those of the next list
  int number, keys;
  std::int32_t boxes;

  static constexpr int range = 64;  ///< boxes that are looked at together
  NEARFAR_FUNCTION int ranges() const { return (boxes + range - 1) / range; }
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

/// Lists of one kind that are looked at together, since of one alone there are few rows: each row has the interactions
/// of a range of boxes with one key.
template <class List>
struct ListsOfKind {
  static constexpr int most = 32, longest = ListCounts::range;
  struct Of {
    BoxBlock block;
    ListCounts counts;
    std::int32_t* words;    ///< of its table, where that is written
    std::int64_t last_row;  ///< the end of its rows among those of all
  };
  struct Row {
    typename List::Key key;
    std::int32_t list, number, place, first,
        last;  ///< which list, number in it, where its interactions are counted, its boxes
  };
  BoxTree tree;
  TableCounts tables;
  int count = 0;
  Of of[most] = {};

  std::int64_t rows() const { return count > 0 ? of[count - 1].last_row : 0; }
  void add(BoxBlock const& block, ListCounts const& counts, std::int32_t* words) {
    std::int64_t const last = rows() + counts.size();
    of[count++] = {block, counts, words, last};
  }

  NEARFAR_FUNCTION List list(Row const& row) const { return {tree, of[row.list].block}; }
  NEARFAR_FUNCTION Row row(std::int64_t i) const {
    std::int32_t l = 0;
    while (i >= of[l].last_row) ++l;
    ListCounts const& counts = of[l].counts;
    std::int32_t const number = std::int32_t(l > 0 ? i - of[l - 1].last_row : i), range = number / counts.keys,
                       key = number % counts.keys, first = range * longest, last = first + longest;
    return {List{tree, of[l].block}.known(key),          l,     number,
            std::int32_t(key * counts.ranges() + range), first, last < counts.boxes ? last : counts.boxes};
  }
  NEARFAR_FUNCTION std::int32_t find(Row const& row, std::int32_t b) const {
    List const here = list(row);
    return here(tree.in_block[tree.begin(here.block) + b], row.key);
  }
  NEARFAR_FUNCTION BoxBlock block_of(Row const& row, std::int32_t source) const {
    return tree.block_of(source, list(row).source_level());
  }
  NEARFAR_FUNCTION int number(BoxBlock const& block) const { return block.number(tables.counts.parts); }
};
template <class List>
struct CountInteractions : ListsOfKind<List> {
  using Row = typename ListsOfKind<List>::Row;

  NEARFAR_FUNCTION void take(Row const& row, std::int32_t, std::int32_t source, std::int32_t) const {
    this->tables.mark_read(List::reader, this->number(this->of[row.list].block),
                           this->number(this->block_of(row, source)));
  }
  NEARFAR_FUNCTION void end(Row const& row, std::int32_t found) const {
    this->of[row.list].counts.begin[row.place] = found;
  }
};
/// `words`: the table of each list; a list without one is left out. Empty: lists are only counted.
template <template <class> class Body, class Device>
void select_together(Device& device, BoxTree const& tree, PartBegins const& parts, TableCounts const& tables,
                     std::vector<std::int32_t*> const& words, char const* what) {
  auto const of_kind = [&]<class List>(std::type_identity<List>) {
    Body<List> const none{{tree, tables}};
    Body<List> lists = none;
    for_each_list(tree, parts, tables.top, tables.memory, [&](auto const& list, ListCounts const& counts) {
      if constexpr (std::is_same_v<std::decay_t<decltype(list)>, List>) {
        std::int32_t* const table = words.empty() ? nullptr : words[std::size_t(counts.number)];
        if (!words.empty() && table == nullptr) return;
        lists.add(list.block, counts, table);
        if (lists.count < lists.most) return;
        device.select(lists.rows(), lists, what);
        lists = none;
      }
    });
    if (lists.count > 0) device.select(lists.rows(), lists, what);
  };
  of_kind(std::type_identity<Children>());
  of_kind(std::type_identity<Parents>());
  of_kind(std::type_identity<FarBoxes>());
}

/// Lists that are looked at together: of one alone there are few keys.
struct SomeLists {
  static constexpr int most = 64;
  ListCounts list[most];
  int count = 0;

  int most_keys() const {
    int keys = 0;
    for (int l = 0; l < count; ++l) keys = list[l].keys > keys ? list[l].keys : keys;
    return keys;
  }
};
struct FlagRuns {
  SomeLists lists;
  int keys;  ///< of each list at most

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    ListCounts const& list = lists.list[i / keys];
    int const key = int(i % keys);
    if (key < list.keys) list.run[key] = list.key_size(key) > 0 ? 1 : 0;
  }
};
/// Interactions and runs of lists.
struct TakeLists {
  SomeLists lists;
  TableCounts tables;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    ListCounts const& list = lists.list[i];
    std::uint64_t* const totals = tables.of_list(list.number);
    totals[0] = std::uint64_t(list.key_begin(list.keys));
    totals[1] = std::uint64_t(list.runs());
  }
};
template <class Device>
void count_lists(Device& device, BoxTree const& tree, PartBegins const& parts, TableCounts const& tables) {
  constexpr char what[] = "counts interactions";
  select_together<CountInteractions>(device, tree, parts, tables, {}, what);
  begin_counts(device, tables.memory, tables.interactions);
  auto const together = [&](auto const& visit) {
    SomeLists lists;
    for_each_list(tree, parts, tables.top, tables.memory, [&](auto const&, ListCounts const& counts) {
      lists.list[lists.count++] = counts;
      if (lists.count == SomeLists::most) visit(std::exchange(lists, {}));
    });
    visit(lists);
  };
  together([&](SomeLists const& lists) {
    int const keys = lists.most_keys();
    device.for_all(std::int64_t(lists.count) * keys, FlagRuns{lists, keys}, what);
  });
  begin_counts(device, tables.run_numbers(), tables.keys);
  together([&](SomeLists const& lists) { device.for_all(lists.count, TakeLists{lists, tables}, what); });
}

/// And what is before them in the table.
template <class List>
struct WriteInteractions : ListsOfKind<List> {
  using Row = typename ListsOfKind<List>::Row;

  NEARFAR_FUNCTION void take(Row const& row, std::int32_t b, std::int32_t source, std::int32_t n) const {
    auto const& of = this->of[row.list];
    auto* const interaction =
        reinterpret_cast<Interaction*>(of.words + RunTable::head + 3 * std::int64_t(of.counts.runs()));
    BoxBlock const block = this->block_of(row, source);
    interaction[of.counts.at(row.place) + n] = {
        b, this->tables.buffer(List::reader, this->number(of.block), this->number(block)),
        this->tree.place(source, this->list(row).source_level()) - this->tree.begin(block)};
  }
  NEARFAR_FUNCTION void end(Row const& row, std::int32_t) const {
    auto const& of = this->of[row.list];
    ListCounts const& counts = of.counts;
    int const runs = counts.runs(), key = row.number;
    if (key == 0) {
      of.words[0] = runs;
      of.words[1] = counts.key_begin(counts.keys);
      of.words[2] = of.words[3] = 0;
    }
    if (key < counts.keys && counts.key_size(key) > 0)
      reinterpret_cast<Run*>(of.words + RunTable::head)[counts.run[key] - counts.run[0]] = {key, counts.key_begin(key),
                                                                                            counts.key_size(key)};
  }
};

}  // namespace nearfar
