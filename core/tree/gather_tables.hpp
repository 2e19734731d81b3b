// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/lists/lists.hpp"
#include "core/tree/lists/parent_pairs.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace nearfar {

/// Appends the words of an item to a table.
template <class Item>
void append(std::vector<std::int32_t>& words, Item const& item) {
  auto const* begin = reinterpret_cast<std::int32_t const*>(&item);
  words.insert(words.end(), begin, begin + sizeof(Item) / sizeof(std::int32_t));
}

/// One interaction before its buffer is known; for M2L, `pair` is the number of the pair of parents.
struct Wanted {
  std::int32_t key, target;
  LocalBox from;
  std::int32_t pair = -1;
};

/// The blocks a task reads, each once, in the order of their numbers.
class SourceBlocks {
 public:
  void add(std::int32_t block) {
    if (blocks_.empty() || blocks_.back() != block) blocks_.push_back(block);
  }
  void add(SourceBlocks const& others) { blocks_.insert(blocks_.end(), others.blocks_.begin(), others.blocks_.end()); }
  void close();
  std::int32_t place(std::int32_t block) const { return place_[std::size_t(block - blocks_.front())]; }
  std::vector<std::int32_t> take() { return std::move(blocks_); }

 private:
  std::vector<std::int32_t> blocks_, place_;  // place by block, counted from the first block
};

/// Loops over parts of a table: by the caller where there is less to do than to submit.
inline Loop loop_over_items(Loop const& loop, std::size_t items) {
  constexpr std::size_t few = 1 << 16;
  return items < few ? Loop(in_turn) : loop;
}

/// The table of interactions that were found in parts, each of some targets. They are sorted by key; those of one key
/// stay in the order of their targets, but those of parent pairs come last.
Gather run_table(std::vector<std::vector<Wanted>> const& parts, int keys, Loop const& workers,
                 ParentPairFinder const* finder = nullptr);

/// The table of what was found in parts: items[t] are those of target t of a part, with block numbers for buffers.
template <class Item>
Gather pair_table(std::vector<std::vector<std::vector<Item>>> const& parts, Loop const& workers) {
  std::size_t size = 0;
  for (auto const& part : parts)
    for (auto const& list : part) size += 1 + list.size();
  Loop const loop = loop_over_items(workers, size);
  std::vector<SourceBlocks> found(parts.size());
  std::vector<std::int32_t> targets(parts.size() + 1), items(parts.size() + 1);
  loop(parts.size(), [&](std::size_t p) {
    for (auto const& list : parts[p]) {
      for (Item const& item : list) found[p].add(item.buffer);
      items[p + 1] += std::int32_t(list.size());
    }
    targets[p + 1] = std::int32_t(parts[p].size());
    found[p].close();
  });
  SourceBlocks sources;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    sources.add(found[p]);
    targets[p + 1] += targets[p];
    items[p + 1] += items[p];
  }
  sources.close();
  Gather gather;
  constexpr std::size_t head = PairTable<Item>::head, range_words = 2, item_words = sizeof(Item) / sizeof(std::int32_t);
  std::size_t const first_item = head + range_words * std::size_t(targets.back());
  gather.words.resize(first_item + item_words * std::size_t(items.back()));
  gather.words[0] = targets.back();
  gather.words[1] = items.back();
  loop(parts.size(), [&](std::size_t p) {
    auto* range = reinterpret_cast<Range*>(&gather.words[head]) + targets[p];
    auto* to = reinterpret_cast<Item*>(gather.words.data() + first_item) + items[p];
    std::int32_t first = items[p];
    for (auto const& list : parts[p]) {
      *range++ = {first, std::int32_t(list.size())};
      first += std::int32_t(list.size());
      for (Item item : list) {
        item.buffer = sources.place(item.buffer);
        *to++ = item;
      }
    }
  });
  gather.blocks = sources.take();
  return gather;
}

}  // namespace nearfar
