// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/lists/lists.hpp"

#include "core/tree/cut_of_leaf.hpp"
#include "core/tree/gather_tables.hpp"
#include "core/tree/lists/parent_pairs.hpp"
#include "core/tree/vectors.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace nearfar {

namespace {

TreeBox const& box_of(Tree const& tree, SeenBox const& s) {
  return tree.levels[std::size_t(s.level)][std::size_t(s.box)];
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

namespace {

/// What some boxes of a block gather.
struct ListPart {
  std::vector<Wanted> m2m, m2l, l2l;
  std::vector<std::vector<PointRun>> u, x;
  std::vector<std::vector<FarBox>> w;
  std::vector<double> targets, sources;  ///< of each leaf
  double pairs = 0, to_points = 0, to_locals = 0;
};

/// That of the boxes first .. last - 1. `finder`: of pairs of parents, or none.
ListPart part_of(Tree const& tree, InteractionLists const& lists, TreeBlocks const& blocks, TreeBlock const& block,
                 int top, std::size_t first, std::size_t last, ParentPairFinder* finder) {
  auto const& boxes = tree.levels[std::size_t(block.level)];
  int const separation = tree.shape.separation;
  ListPart part;
  std::size_t const size = last - first, leaves = block.of_leaves ? size : 0;
  part.u.resize(leaves);
  part.w.resize(leaves);
  part.x.resize(size);
  part.targets.resize(leaves);
  part.sources.resize(leaves);
  Interactions in;
  constexpr std::size_t usual_interactions = 189;
  part.m2l.reserve(usual_interactions * size);
  for (std::size_t i = 0; i < size; ++i) {
    auto const local = std::int32_t(first + i);
    std::int32_t const number_on_level = block.boxes[first + i];
    TreeBox const& box = boxes[std::size_t(number_on_level)];
    for (int c = 0; c < box.children; ++c) {
      SeenBox const child{block.level + 1, box.first_child + c, {0, 0, 0}};
      auto const& at = box_of(tree, child).at;
      if (box_of(tree, child).sources() > 0)
        part.m2m.push_back({octant_of(at[0], at[1], at[2]), local, blocks.local_box(child)});
    }
    if (box.targets() == 0) continue;
    if (block.level > top)
      part.l2l.push_back({octant_of(box.at[0], box.at[1], box.at[2]), local,
                          blocks.local_box({block.level - 1, box.parent, {0, 0, 0}})});
    lists.of(block.level, number_on_level, in);
    if (finder != nullptr) finder->next_target(box.at, local);
    for (SeenBox const& s : in.v) {
      std::int32_t const at[3] = {s.at(tree, 0), s.at(tree, 1), s.at(tree, 2)};
      LocalBox const from = blocks.local_box(s);
      part.m2l.push_back({vector_id(box.at[0] - at[0], box.at[1] - at[1], box.at[2] - at[2], separation), local, from,
                          finder != nullptr ? finder->add(at, from.block, from.local) : -1});
    }
    auto const run = [&](SeenBox const& s) {
      LocalBox const from = blocks.local_box(s);
      auto const count = std::int32_t(box_of(tree, s).sources());
      return PointRun{from.block, from.first_source, from.first_source + count, {s.image[0], s.image[1], s.image[2]}};
    };
    if (block.of_leaves) part.targets[i] = box.targets();
    for (SeenBox const& s : in.u) {
      part.u[i].push_back(run(s));
      part.sources[i] += box_of(tree, s).sources();
      part.pairs += double(box.targets()) * box_of(tree, s).sources();
    }
    for (SeenBox const& s : in.x) {
      part.x[i].push_back(run(s));
      part.to_locals += box_of(tree, s).sources();
    }
    for (SeenBox const& s : in.w) {
      LocalBox const from = blocks.local_box(s);
      part.w[i].push_back({from.block, from.local, s.level, {s.at(tree, 0), s.at(tree, 1), s.at(tree, 2)}});
      part.to_points += box.targets();
    }
  }
  for (auto& list : part.u) join(list);
  for (auto& list : part.x) join(list);
  return part;
}

}  // namespace

BlockLists lists_of(Tree const& tree, InteractionLists const& lists, TreeBlocks const& blocks, int number,
                    ListStyle const& style, Loop const& loop) {
  TreeBlock const& block = blocks.blocks[std::size_t(number)];
  int const separation = tree.shape.separation;
  constexpr std::size_t boxes_of_part = 64;
  auto const size = std::size_t(block.size());
  // Pairs of parents are found from one target to the next.
  std::size_t const parts = style.parent_pairs ? 1 : parts_for(size, boxes_of_part);
  std::optional<ParentPairFinder> finder;
  if (style.parent_pairs) finder.emplace(separation);
  auto* const pairs_of_parents = finder ? &*finder : nullptr;
  std::vector<std::vector<Wanted>> m2m(parts), m2l(parts), l2l(parts);
  std::vector<std::vector<std::vector<PointRun>>> u(parts), x(parts);
  std::vector<std::vector<std::vector<FarBox>>> w(parts);
  std::vector<ListPart> part(parts);
  in_parts(loop, size, parts, [&](std::size_t p, std::size_t first, std::size_t last) {
    part[p] = part_of(tree, lists, blocks, block, style.top, first, last, pairs_of_parents);
    m2m[p] = std::move(part[p].m2m);
    m2l[p] = std::move(part[p].m2l);
    l2l[p] = std::move(part[p].l2l);
    u[p] = std::move(part[p].u);
    w[p] = std::move(part[p].w);
    x[p] = std::move(part[p].x);
  });
  if (finder) finder->close();
  BlockLists result{run_table(m2m, 8, loop),
                    run_table(l2l, 8, loop),
                    run_table(m2l, vector_count(separation), loop, pairs_of_parents),
                    pair_table(u, loop),
                    pair_table(w, loop),
                    pair_table(x, loop)};
  std::vector<double> targets, sources;
  for (ListPart const& p : part) {
    targets.insert(targets.end(), p.targets.begin(), p.targets.end());
    sources.insert(sources.end(), p.sources.begin(), p.sources.end());
    result.p2p.work += p.pairs;
    result.m2p.work += p.to_points;
    result.p2l.work += p.to_locals;
  }
  append_cuts(result.p2p, targets, sources);
  return result;
}

void append_cuts(Gather& gather, std::vector<double> const& targets, std::vector<double> const& sources) {
  double pairs = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) pairs += targets[i] * sources[i];
  std::int32_t first = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    CutOfLeaf const cut(pairs, targets[i], sources[i]);
    append(gather.words, LeafCut{first, cut.splits, int(sources[i])});
    first += cut.pieces();
  }
  append(gather.words, targets.empty() ? LeafCut{0, 1, 0}
                                       : LeafCut{first, CutOfLeaf(pairs, targets.back(), sources.back()).splits,
                                                 int(sources.back())});
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
