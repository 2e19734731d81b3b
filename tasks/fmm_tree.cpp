// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm_tree.hpp"

#include "core/fmm/packed.hpp"

#include <array>

namespace nearfar::detail {

namespace {

Data over(char const* name, std::vector<std::int32_t> const& words) {
  return Data::over(name, words.data(), std::int64_t(words.size()));
}

}  // namespace

FmmTree::FmmTree(Tree tree, std::uint32_t few, FmmGrain const& grain) : tree_(std::move(tree)) {
  InteractionLists const lists(tree_, few);
  auto const cost = [&](int level, int box) {
    BoxWork const work = work_of(tree_, lists, level, box);
    return grain.box + grain.link * work.links + grain.pair * work.pairs + grain.expansion * work.expansions;
  };
  cut_ = cut_blocks(tree_, cost, grain.task);
  for (int b = 0; b < blocks(); ++b) {
    lists_.push_back(lists_of(tree_, lists, cut_, b, top()));
    source_leaves_.push_back(leaf_table(tree_, block(b), Side::sources));
    target_leaves_.push_back(leaf_table(tree_, block(b), Side::targets));
  }
  for (std::size_t b = 0; b < lists_.size(); ++b) {
    BlockLists const& l = lists_[b];
    handles_.push_back({over("source leaves", source_leaves_[b]), over("target leaves", target_leaves_[b]),
                        over("m2m table", l.m2m.words), over("l2l table", l.l2l.words), over("m2l table", l.m2l.words),
                        over("p2p table", l.p2p.words), over("m2p table", l.m2p.words),
                        over("p2l table", l.p2l.words)});
  }
}

Handle FmmTree::table(int b, Gather BlockLists::*stage) const {
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
FmmLane& FmmLanes<T>::lane_for(std::shared_ptr<SolveState const> const& solve, FmmTree const& tree, int order,
                               int rhs) {
  return by_rhs_[rhs].next(solve, [&] {
    FmmLane lane;
    for (int b = 0; b < tree.blocks(); ++b) {
      std::int64_t const size = expansion_size<T>(order, rhs, tree.block(b).size());
      lane.multipoles.push_back(tree.has_multipole(b) ? Data::temporary<T>("multipoles", size) : Data());
      lane.locals.push_back(tree.has_local(b) ? Data::temporary<T>("locals", size) : Data());
    }
    return lane;
  });
}

template class FmmLanes<double>;
template class FmmLanes<float>;

}  // namespace nearfar::detail
