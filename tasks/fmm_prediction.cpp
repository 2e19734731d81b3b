// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm_prediction.hpp"

#include <algorithm>
#include <map>

namespace nearfar::detail {

namespace {

/// Tasks that nothing holds up but workers.
struct Stage {
  double sum = 0, squares = 0, longest = 0;
  int tasks = 0;

  void add(double seconds) {
    if (seconds <= 0) return;
    sum += seconds;
    squares += seconds * seconds;
    longest = std::max(longest, seconds);
    ++tasks;
  }
  double span(MachineShape const& machine) const { return std::max(machine.span(sum, tasks), longest); }
};
using Levels = std::map<int, Stage>;

}  // namespace

FmmPrediction predict_fmm(FmmTree const& tree, FmmSeconds const& t, MachineShape const& machine) {
  Stage p2m, m2l, p2l, l2p, beside;
  Levels m2m, l2l;
  for (int b = 0; b < tree.blocks(); ++b) {
    TreeBlock const& block = tree.block(b);
    BlockLists const& lists = tree.lists(b);
    beside.add(t.pair * lists.p2p.work);
    beside.add(t.m2p * lists.m2p.work);
    if (tree.has_multipole(b)) m2m[block.level].add(t.shift * lists.m2m.work);
    m2l.add(t.link * lists.m2l.work);
    p2l.add(t.p2l * lists.p2l.work);
    l2l[block.level].add(t.shift * lists.l2l.work);
    if (block.leaves && tree.has_multipole(b)) p2m.add(t.source * block.sources);
    if (block.leaves && tree.has_local(b)) l2p.add(t.target * block.targets);
  }
  FmmPrediction result;
  result.work = beside.sum;
  double squares = beside.squares;
  auto const then = [&](Stage const& stage) {
    result.work += stage.sum;
    squares += stage.squares;
    result.chain += stage.span(machine);
  };
  for (Stage const& stage : {p2m, m2l, p2l, l2p}) then(stage);
  for (Levels const& levels : {m2m, l2l})
    for (auto const& [level, stage] : levels) then(stage);
  result.chain = std::max(result.chain, beside.span(machine));
  if (result.work > 0) result.last = squares / result.work;
  return result;
}

}  // namespace nearfar::detail
