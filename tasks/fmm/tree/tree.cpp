// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/tree/tree.hpp"

#include "core/fmm/packed.hpp"
#include "core/tree/morton.hpp"
#include "tasks/engine/runtime/memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <string>

namespace nearfar::detail {

namespace {

Data constant(char const* name, std::vector<std::int32_t> const& words) {
  return Data::constant(name, words.data(), std::int64_t(words.size()));
}

Gather without_words(Gather const& g) { return {{}, g.blocks, g.work}; }
BlockLists without_words(BlockLists const& l) {
  return {without_words(l.m2m), without_words(l.l2l), without_words(l.m2l),
          without_words(l.p2p), without_words(l.m2p), without_words(l.p2l)};
}

/// As FmmTree::owner says; of ranks with several GPUs, one after the other.
std::vector<int> owners_of(Tree const& tree, std::vector<TreeBlock> const& blocks,
                           std::function<double(int level, int box)> const& cost, Owners const& owners) {
  std::map<MortonKey, double> work;  // work of the leaves, by the key of their block
  std::vector<MortonKey> keys;
  for (TreeBlock const& block : blocks) {
    auto const& at = tree.levels[std::size_t(block.level)][std::size_t(block.boxes.front())].at;
    keys.push_back(morton_key(at[0], at[1], at[2]) << 3 * (tree.depth() - block.level));
    for (std::int32_t box : block.boxes)
      if (block.of_leaves) work[keys.back()] += cost(block.level, box);
  }
  std::vector<double> costs;
  for (auto const& [key, seconds] : work) costs.push_back(seconds);
  auto const pieces = equal_pieces(costs, std::vector<double>(std::size_t(owners.count * owners.gpus)));
  std::map<MortonKey, int> owner;
  for (auto piece = pieces.begin(); auto const& [key, seconds] : work) owner[key] = *piece++;
  std::vector<int> found;
  for (MortonKey key : keys) {
    auto const next = owner.upper_bound(key);
    found.push_back(owners.count == 1 ? everywhere : next == owner.begin() ? 0 : std::prev(next)->second);
  }
  return found;
}

/// Whether no leaf of a tree that ends on one level has more than twice as many points as the fullest one planned.
bool is_as_even(Tree const& planned, Tree const& tree) {
  if (planned.shape.capacity > 0) return true;
  auto const fullest = [](Tree const& t) {
    std::uint32_t most = 0;
    for (TreeBox const& leaf : t.levels.back()) most = std::max({most, leaf.sources(), leaf.targets()});
    return most;
  };
  return fullest(tree) <= 2 * fullest(planned);
}

/// The cost of each box, by level.
std::vector<std::vector<double>> costs_of(Tree const& tree, InteractionLists const& lists, FmmGrain const& grain,
                                          Loop const& loop) {
  constexpr std::size_t boxes_of_part = 128;
  std::vector<std::vector<double>> costs;
  for (int level = 0; level <= tree.depth(); ++level) {
    std::size_t const boxes = tree.levels[std::size_t(level)].size();
    auto& cost = costs.emplace_back(boxes);
    in_parts(loop, boxes, parts_for(boxes, boxes_of_part), [&](std::size_t, std::size_t first, std::size_t last) {
      for (std::size_t box = first; box < last; ++box) {
        BoxWork const work = work_of(tree, lists, level, int(box));
        cost[box] = grain.box + grain.interaction * work.interactions + grain.pair * work.pairs +
                    grain.expansion * work.expansions;
      }
    });
  }
  return costs;
}

}  // namespace

FmmTree::FmmTree(Tree tree, std::uint32_t few, FmmGrain const& grain, Owners const& owners, Loop const& loop, int rank)
    : tree_(std::move(tree)), few_(few), chosen_boxes_(tree_.boxes()), on_gpus_(grain.on_gpus), owners_(owners),
      rank_(rank) {
  InteractionLists const lists(tree_, few, KeptLists::inner, loop);
  bool const is_cut = std::isfinite(grain.task);
  auto const costs = is_cut ? costs_of(tree_, lists, grain, loop) : std::vector<std::vector<double>>();
  auto const cost = [&](int level, int box) { return is_cut ? costs[std::size_t(level)][std::size_t(box)] : 1; };
  cut_ = cut_blocks(tree_, cost, grain.task);
  owner_ = owners_of(tree_, cut_.blocks, cost, owners_);
  if (owners_.gpus > 1)
    for (int& owner : owner_) gpu_.push_back(owner % owners_.gpus), owner /= owners_.gpus;
  make_room();
  for_blocks(loop, [&](std::size_t b, Loop const& within) {
    lists_[b] = lists_of(tree_, lists, cut_, int(b), style(), within);
    if (!is_here(b)) lists_[b] = without_words(lists_[b]);
    source_leaves_[b] = leaf_table(tree_, cut_.blocks[b], Side::sources);
    target_leaves_[b] = leaf_table(tree_, cut_.blocks[b], Side::targets);
  });
  new_lists_ = blocks();
  find_sent();
  register_tables();
}

FmmTree::FmmTree(std::shared_ptr<FmmTree const> planned, Tree tree, Loop const& loop)
    : planned_(std::move(planned)), tree_(std::move(tree)), cut_(planned_->cut_), owners_(planned_->owners_),
      rank_(planned_->rank_), owner_(planned_->owner_), gpu_(planned_->gpu_), sent_(planned_->sent_) {
  make_room();
  loop(lists_.size(), [&](std::size_t number) {
    TreeBlock& block = cut_.blocks[number];
    block.sources = block.targets = 0;
    for (std::int32_t b : block.boxes) {
      TreeBox const& box = tree_.levels[std::size_t(block.level)][std::size_t(b)];
      LocalBox& local = cut_.local_boxes[std::size_t(block.level)][std::size_t(b)];
      local.first_source = std::int32_t(block.sources);
      local.first_target = std::int32_t(block.targets);
      block.sources += box.sources();
      block.targets += box.targets();
    }
    source_leaves_[number] = leaf_table(tree_, block, Side::sources);
    target_leaves_[number] = leaf_table(tree_, block, Side::targets);
  });
  loop(lists_.size(), [&](std::size_t b) {
    BlockLists const& l = planned_->lists_[b];
    if (!is_here(b)) {
      lists_[b] = without_words(l);
      lists_[b].p2p.work = lists_[b].p2l.work = 0;
      return;
    }
    MovedLeaves const leaves{planned_->source_leaves_, source_leaves_};
    lists_[b] = {without_words(l.m2m), without_words(l.l2l),
                 without_words(l.m2l), moved_runs(l.p2p, leaves, &target_leaves_[b]),
                 without_words(l.m2p), moved_runs(l.p2l, leaves, nullptr)};
  });
  for (std::size_t b = 0; b < lists_.size(); ++b)
    if (!is_here(b)) handles_.emplace_back();
    else
      handles_.push_back({constant("source leaves", source_leaves_[b]), constant("target leaves", target_leaves_[b]),
                          Data(), Data(), Data(), constant("p2p table", lists_[b].p2p.words), Data(),
                          constant("p2l table", lists_[b].p2l.words)});
}

FmmTree::FmmTree(GpuTables made, std::uint32_t few, FmmTree const* planned)
    : parted_(std::move(made.parted)), few_(few), on_gpus_(true), owners_{parted_.parts}, rank_(everywhere),
      room_(std::move(made.room)) {
  tree_.shape = made.shape;
  for (GpuBlock& from : made.blocks) {
    cut_.blocks.push_back({from.block.level, from.block.of_leaves, {}, from.sources, from.targets, from.boxes});
    owner_.push_back(parted_.owner(from.block));
    lists_.push_back(std::move(from.lists));
    handles_.push_back({std::move(from.source_leaves), std::move(from.target_leaves), std::move(from.m2m),
                        std::move(from.l2l), std::move(from.m2l), std::move(from.p2p), std::move(from.m2p),
                        std::move(from.p2l)});
  }
  chosen_boxes_ = planned != nullptr ? planned->chosen_boxes_ : boxes();
  chosen_pairs_ = planned != nullptr ? planned->chosen_pairs_ : made.pairs_in_leaves;
  make_room();
  new_lists_ = blocks();
  find_sent();
}

std::size_t FmmTree::boxes() const noexcept {
  std::size_t boxes = 0;
  for (TreeBlock const& block : cut_.blocks) boxes += std::size_t(block.size());
  return boxes;
}

std::shared_ptr<FmmTree> FmmTree::in_part_new(FmmTree const& planned, Tree tree, Loop const& loop) {
  constexpr double most_new = 0.25;  // of the boxes: then other plans may be better
  double const chosen = double(planned.chosen_boxes_);
  if (std::abs(double(tree.boxes()) - chosen) > most_new * chosen || !is_as_even(planned.tree_, tree) ||
      planned.tree_.levels[0][0].is_leaf() != tree.levels[0][0].is_leaf())
    return nullptr;
  auto kept = keep_blocks(planned.tree_, planned.cut_, planned.lists_, tree, planned.few_);
  return std::shared_ptr<FmmTree>(new FmmTree(planned, std::move(kept), std::move(tree), loop));
}

FmmTree::FmmTree(FmmTree const& planned, KeptBlocks kept, Tree tree, Loop const& loop)
    : tree_(std::move(tree)), cut_(std::move(kept.blocks)), few_(planned.few_), chosen_boxes_(planned.chosen_boxes_),
      on_gpus_(planned.on_gpus_), new_lists_(int(std::ranges::count(kept.changed, true))), owners_(planned.owners_),
      rank_(planned.rank_), owner_(planned.owner_) {
  make_room();
  for (std::size_t b = owner_.size(); b < lists_.size(); ++b) {
    TreeBlock const& block = cut_.blocks[b];
    int const parent = tree_.levels[std::size_t(block.level)][std::size_t(block.boxes.front())].parent;
    owner_.push_back(owner_[std::size_t(local_box(block.level - 1, parent).block)]);
  }
  loop(lists_.size(), [&](std::size_t b) {
    source_leaves_[b] = leaf_table(tree_, cut_.blocks[b], Side::sources);
    target_leaves_[b] = leaf_table(tree_, cut_.blocks[b], Side::targets);
  });
  bool const few_blocks = 4 * new_lists_ < blocks();  // then it takes less to find what their boxes need each time
  InteractionLists const lists(tree_, few_, few_blocks ? KeptLists::none : KeptLists::inner, loop);
  MovedLeaves const leaves{planned.source_leaves_, source_leaves_};
  for_blocks(loop, [&](std::size_t b, Loop const& within) {
    if (kept.changed[b]) {
      lists_[b] = lists_of(tree_, lists, cut_, int(b), style(), within);
      return;
    }
    BlockLists const& l = planned.lists_[b];
    lists_[b] = {
        l.m2m, l.l2l, l.m2l, moved_runs(l.p2p, leaves, &target_leaves_[b]), l.m2p, moved_runs(l.p2l, leaves, nullptr)};
  });
  find_sent();
  register_tables();
}

/// Blocks of a tree for GPUs are few, so that the work within each is shared.
void FmmTree::for_blocks(Loop const& loop, std::function<void(std::size_t, Loop const&)> const& body) {
  if (!on_gpus_) return loop(lists_.size(), [&](std::size_t b) { body(b, in_turn); });
  for (std::size_t b = 0; b < lists_.size(); ++b) body(b, loop);
}

void FmmTree::register_tables() {
  for (std::size_t b = 0; b < lists_.size(); ++b) {
    BlockLists const& l = lists_[b];
    if (!is_here(b) || cut_.blocks[b].boxes.empty()) handles_.emplace_back();
    else
      handles_.push_back({constant("source leaves", source_leaves_[b]), constant("target leaves", target_leaves_[b]),
                          constant("m2m table", l.m2m.words), constant("l2l table", l.l2l.words),
                          constant("m2l table", l.m2l.words), constant("p2p table", l.p2p.words),
                          constant("m2p table", l.m2p.words), constant("p2l table", l.p2l.words)});
  }
}

void FmmTree::drop_order() noexcept {
  tree_.source_order = {};
  tree_.target_order = {};
}

void FmmTree::make_room() {
  lists_.resize(cut_.blocks.size());
  source_leaves_.resize(lists_.size());
  target_leaves_.resize(lists_.size());
}

void FmmTree::find_sent() {
  for (auto* leaves : {&sent_.multipole, &sent_.local, &sent_.strengths}) leaves->resize(lists_.size());
  if (owners_.count == 1) return;
  for (std::size_t b = 0; b < lists_.size(); ++b) {
    BlockLists const& l = lists_[b];
    auto const add = [&](std::vector<bool>& leaves, Gather const& gather) {
      for (std::int32_t const other : gather.blocks)
        if (owner(other) != owner_[b]) leaves[std::size_t(other)] = true;
    };
    for (Gather const* gather : {&l.m2m, &l.m2l, &l.m2p}) add(sent_.multipole, *gather);
    add(sent_.local, l.l2l);
    for (Gather const* gather : {&l.p2p, &l.p2l}) add(sent_.strengths, *gather);
  }
}

bool FmmTree::fills_blocks(Tree const& moved) const {
  for (TreeBlock const& block : cut_.blocks) {
    std::uint32_t sources = 0, targets = 0;
    for (std::int32_t b : block.boxes) {
      TreeBox const& box = moved.levels[std::size_t(block.level)][std::size_t(b)];
      sources += box.sources();
      targets += box.targets();
    }
    if ((sources == 0) != (block.sources == 0) || (targets == 0) != (block.targets == 0)) return false;
  }
  return true;
}

Handle FmmTree::table(int b, Gather BlockLists::*stage) const {
  if (planned_ && stage != &BlockLists::p2p && stage != &BlockLists::p2l) return planned_->table(b, stage);
  Handles const& h = handles_[std::size_t(b)];
  if (stage == &BlockLists::m2m) return h.m2m;
  if (stage == &BlockLists::l2l) return h.l2l;
  if (stage == &BlockLists::m2l) return h.m2l;
  if (stage == &BlockLists::p2p) return h.p2p;
  if (stage == &BlockLists::m2p) return h.m2p;
  return h.p2l;
}

double FmmTree::work(Gather BlockLists::*stage) const noexcept {
  double sum = 0;
  for (BlockLists const& lists : lists_) sum += (lists.*stage).work;
  return sum;
}

std::size_t FmmTree::table_bytes() const noexcept {
  std::size_t words = 0;
  for (BlockLists const& l : lists_)
    for (Gather const* g : std::array{&l.m2m, &l.l2l, &l.m2l, &l.p2p, &l.m2p, &l.p2l}) words += g->words.size();
  return words * sizeof(std::int32_t);
}

template <class T>
FmmWorkspace& FmmWorkspaces<T>::workspace_for(SolveState const& solve, FmmTree const& tree, int order, int rhs) {
  int const rank = solve.ranks() != nullptr ? solve.ranks()->rank() : everywhere;
  return by_rhs_[rhs].next(solve, [&] {
    FmmTouched const here(tree, rank);
    auto const size_of = [&](int b) { return std::int64_t(expansion_size<T>(order, rhs, tree.block(b).size())); };
    double bytes = 0;
    for (int b = 0; b < tree.blocks(); ++b)
      bytes += double(sizeof(T)) * double(size_of(b)) * (here.multipole[std::size_t(b)] + here.local[std::size_t(b)]);
    expect_memory(std::size_t(bytes), "a solve with " + std::to_string(rhs) + " expansions in each box",
                  "take fewer right-hand sides at once, fewer particles, a larger tolerance, or single precision");
    FmmWorkspace work;
    for (int b = 0; b < tree.blocks(); ++b) {
      auto const make = [&](char const* name, bool exists, bool touched) {
        return exists ? Data::temporary<T>(name, size_of(b), tree.owner(b), touched) : Data();
      };
      work.multipoles.push_back(make("multipoles", tree.has_multipole(b), here.multipole[std::size_t(b)]));
      work.locals.push_back(make("locals", tree.has_local(b), here.local[std::size_t(b)]));
    }
    return work;
  });
}

template class FmmWorkspaces<double>;
template class FmmWorkspaces<float>;

}  // namespace nearfar::detail
