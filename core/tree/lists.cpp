// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/lists.hpp"

#include "core/tree/parent_pairs.hpp"
#include "core/tree/vectors.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace nearfar {

namespace {

TreeBox const& box_of(Tree const& tree, SeenBox const& s) {
  return tree.levels[std::size_t(s.level)][std::size_t(s.box)];
}

/// The blocks a task reads, each once, in the order of their numbers.
class Sources {
 public:
  void add(std::int32_t block) {
    if (blocks_.empty() || blocks_.back() != block) blocks_.push_back(block);
  }
  void close() {
    std::sort(blocks_.begin(), blocks_.end());
    blocks_.erase(std::unique(blocks_.begin(), blocks_.end()), blocks_.end());
    if (blocks_.empty()) return;
    place_.resize(std::size_t(blocks_.back() - blocks_.front() + 1));
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      place_[std::size_t(blocks_[i] - blocks_.front())] = std::int32_t(i);
  }
  std::int32_t place(std::int32_t block) const { return place_[std::size_t(block - blocks_.front())]; }
  std::vector<std::int32_t> take() { return std::move(blocks_); }

 private:
  std::vector<std::int32_t> blocks_, place_;  // place by block, counted from the first block
};

/// One interaction before its buffer is known; for M2L, `pair` is the number of the pair of parents.
struct Wanted {
  std::int32_t key, target;
  LocalBox from;
  std::int32_t pair = -1;
};

template <class Item>
void append(std::vector<std::int32_t>& words, Item const& item) {
  auto const* begin = reinterpret_cast<std::int32_t const*>(&item);
  words.insert(words.end(), begin, begin + sizeof(Item) / sizeof(std::int32_t));
}

template <class Item>
void append_all(std::vector<std::int32_t>& words, std::vector<Item> const& items) {
  auto const* begin = reinterpret_cast<std::int32_t const*>(items.data());
  words.insert(words.end(), begin, begin + items.size() * sizeof(Item) / sizeof(std::int32_t));
}

/// Sorted by key; interactions of one key stay in the order of their targets, but those of parent pairs come last.
Gather run_table(std::vector<Wanted> const& wanted, int keys, ParentPairFinder const* finder = nullptr) {
  auto const of_parent_pairs = [&](Wanted const& w) { return finder != nullptr && finder->keeps(w.pair); };
  std::vector<std::int32_t> all(std::size_t(keys), 0), loose(all);
  Sources sources;
  for (Wanted const& w : wanted) {
    ++(of_parent_pairs(w) ? all : loose)[std::size_t(w.key)];
    sources.add(w.from.block);
  }
  sources.close();
  std::vector<Run> runs;
  std::vector<std::int32_t> next[2];
  std::int32_t first = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    next[0].push_back(first);
    next[1].push_back(first + loose[k]);
    all[k] += loose[k];
    if (all[k] > 0) runs.push_back({std::int32_t(k), first, all[k]});
    first += all[k];
  }
  std::vector<Interaction> interactions(wanted.size());
  for (Wanted const& w : wanted)
    interactions[std::size_t(next[of_parent_pairs(w)][std::size_t(w.key)]++)] = {w.target, sources.place(w.from.block),
                                                                                 w.from.local};
  Gather gather;
  std::size_t const more = finder == nullptr ? 0 : 5 * finder->runs().size() + 25 * finder->parent_pairs().size();
  gather.words.reserve(RunTable::head + 4 * runs.size() + 3 * interactions.size() + more);
  gather.words = {std::int32_t(runs.size()), std::int32_t(interactions.size()), 0, 0};
  append_all(gather.words, runs);
  append_all(gather.words, interactions);
  if (finder != nullptr && !finder->runs().empty()) {
    gather.words[2] = std::int32_t(finder->runs().size());
    gather.words[3] = std::int32_t(finder->parent_pairs().size());
    append_all(gather.words, finder->runs());
    for (ParentPairs c : finder->parent_pairs()) {
      for (int i = 0; i < 8; ++i)
        if (c.local[i] >= 0) c.buffer[i] = sources.place(c.buffer[i]);
      append(gather.words, c);
    }
    for (Run const& r : runs) gather.words.push_back(loose[std::size_t(r.key)]);
  }
  gather.blocks = sources.take();
  gather.work = double(interactions.size());
  return gather;
}

/// `items[t]` are those of target t, with block numbers for buffers.
template <class Item>
Gather pair_table(std::vector<std::vector<Item>>& items) {
  Sources sources;
  for (auto const& list : items)
    for (Item const& item : list) sources.add(item.buffer);
  sources.close();
  Gather gather;
  std::int32_t count = 0;
  gather.words = {std::int32_t(items.size()), 0, 0, 0};
  for (auto const& list : items) {
    append(gather.words, Range{count, std::int32_t(list.size())});
    count += std::int32_t(list.size());
  }
  gather.words[1] = count;
  for (auto& list : items)
    for (Item& item : list) {
      item.buffer = sources.place(item.buffer);
      append(gather.words, item);
    }
  gather.blocks = sources.take();
  return gather;
}

bool same_image(PointRun const& a, PointRun const& b) { return std::equal(a.image, a.image + 3, b.image); }

/// Sorts runs in memory order and joins those that are adjacent.
void join(std::vector<PointRun>& runs) {
  std::sort(runs.begin(), runs.end(), [](PointRun const& a, PointRun const& b) {
    return std::tie(a.buffer, a.image[0], a.image[1], a.image[2], a.first) <
           std::tie(b.buffer, b.image[0], b.image[1], b.image[2], b.first);
  });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    PointRun& last = runs[kept];
    if (runs[i].buffer == last.buffer && runs[i].first == last.last && same_image(runs[i], last))
      last.last = runs[i].last;
    else runs[++kept] = runs[i];
  }
  if (!runs.empty()) runs.resize(kept + 1);
}

}  // namespace

BoxWork work_of(Tree const& tree, InteractionLists const& lists, int level, int box) {
  Interactions in;
  auto const& target = tree.levels[std::size_t(level)][std::size_t(box)];
  BoxWork work;
  if (target.targets() == 0) return work;
  lists.of(level, box, in);
  work.interactions = double(in.v.size());
  for (SeenBox const& s : in.u) work.pairs += double(target.targets()) * box_of(tree, s).sources();
  work.expansions = double(target.targets()) * double(in.w.size());
  for (SeenBox const& s : in.x) work.expansions += box_of(tree, s).sources();
  return work;
}

BlockLists lists_of(Tree const& tree, InteractionLists const& lists, TreeBlocks const& blocks, int number, int top) {
  TreeBlock const& block = blocks.blocks[std::size_t(number)];
  auto const& boxes = tree.levels[std::size_t(block.level)];
  int const separation = tree.shape.separation;
  std::vector<Wanted> m2m, m2l, l2l;
  auto const size = std::size_t(block.size());
  std::vector<std::vector<PointRun>> u(block.leaves ? size : 0), x(size);
  std::vector<std::vector<FarBox>> w(block.leaves ? size : 0);
  std::vector<double> targets(u.size(), 0), sources(u.size(), 0);
  double pairs = 0, to_points = 0, to_locals = 0;
  Interactions in;
  ParentPairFinder finder(separation);
  constexpr std::size_t usual_interactions = 189;
  m2l.reserve(usual_interactions * size);

  for (std::int32_t local = 0; local < block.size(); ++local) {
    std::int32_t const number_on_level = block.boxes[std::size_t(local)];
    TreeBox const& box = boxes[std::size_t(number_on_level)];
    for (int c = 0; c < box.children; ++c) {
      SeenBox const child{block.level + 1, box.first_child + c, {0, 0, 0}};
      auto const& at = box_of(tree, child).at;
      if (box_of(tree, child).sources() > 0)
        m2m.push_back({octant_of(at[0], at[1], at[2]), local, blocks.local_box(child)});
    }
    if (box.targets() == 0) continue;
    if (block.level > top)
      l2l.push_back({octant_of(box.at[0], box.at[1], box.at[2]), local,
                     blocks.local_box({block.level - 1, box.parent, {0, 0, 0}})});
    lists.of(block.level, number_on_level, in);
    finder.next_target(box.at, local);
    for (SeenBox const& s : in.v) {
      std::int32_t const at[3] = {s.at(tree, 0), s.at(tree, 1), s.at(tree, 2)};
      LocalBox const from = blocks.local_box(s);
      m2l.push_back({vector_id(box.at[0] - at[0], box.at[1] - at[1], box.at[2] - at[2], separation), local, from,
                     finder.add(at, from.block, from.local)});
    }
    auto const run = [&](SeenBox const& s) {
      LocalBox const from = blocks.local_box(s);
      auto const count = std::int32_t(box_of(tree, s).sources());
      return PointRun{from.block, from.first_source, from.first_source + count, {s.image[0], s.image[1], s.image[2]}};
    };
    if (block.leaves) targets[std::size_t(local)] = box.targets();
    for (SeenBox const& s : in.u) {
      u[std::size_t(local)].push_back(run(s));
      sources[std::size_t(local)] += box_of(tree, s).sources();
      pairs += double(box.targets()) * box_of(tree, s).sources();
    }
    for (SeenBox const& s : in.x) {
      x[std::size_t(local)].push_back(run(s));
      to_locals += box_of(tree, s).sources();
    }
    for (SeenBox const& s : in.w) {
      LocalBox const from = blocks.local_box(s);
      w[std::size_t(local)].push_back({from.block, from.local, s.level, {s.at(tree, 0), s.at(tree, 1), s.at(tree, 2)}});
      to_points += box.targets();
    }
  }
  for (auto& list : u) join(list);
  for (auto& list : x) join(list);

  finder.close();
  BlockLists result{run_table(m2m, 8), run_table(l2l, 8), run_table(m2l, vector_count(separation), &finder),
                    pair_table(u),     pair_table(w),     pair_table(x)};
  append_cuts(result.p2p, targets, sources);
  result.p2p.work = pairs;
  result.m2p.work = to_points;
  result.p2l.work = to_locals;
  return result;
}

/// Splits work into pieces of about equal pairs. Sources are split only where a piece would have too few targets to
/// make loading a source worthwhile.
void append_cuts(Gather& gather, std::vector<double> const& targets, std::vector<double> const& sources) {
  constexpr double fewest_targets = 32, fewest_sources = 256;
  double pairs = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) pairs += targets[i] * sources[i];
  double const share = pairs / pair_pieces;
  LeafCut cut{0, 1, 0};
  for (std::size_t i = 0; i < targets.size(); ++i) {
    double const here = std::max(1.0, sources[i]);
    double const parts =
        std::ceil(std::max(1.0, targets[i] / std::clamp<double>(share / here, fewest_targets, piece_targets)));
    double const most = std::max(1.0, here / fewest_sources);
    cut.splits = int(std::min(most, std::ceil(std::max(1.0, targets[i] / parts * here / std::max(1.0, share)))));
    cut.sources = int(sources[i]);
    append(gather.words, cut);
    cut.first += int(parts) * cut.splits;
  }
  append(gather.words, cut);
}

std::vector<std::int32_t> leaf_table(Tree const& tree, TreeBlock const& block, Side side) {
  std::vector<std::int32_t> words;
  std::int32_t first = 0;
  for (std::int32_t b : block.boxes) {
    TreeBox const& box = tree.levels[std::size_t(block.level)][std::size_t(b)];
    auto const count = std::int32_t(side == Side::sources ? box.sources() : box.targets());
    append(words, Leaf{{box.at[0], box.at[1], box.at[2]}, first, first + count});
    first += count;
  }
  return words;
}

}  // namespace nearfar
