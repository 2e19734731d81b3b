// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/prediction.hpp"

#include "tasks/points/blocked_points.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace nearfar::detail {

namespace {

/// Tasks that only wait for a free worker.
struct Stage {
  double sum = 0, squares = 0, longest = 0;  ///< seconds of a CPU worker
  double kept = 0;                           ///< part of the sum that GPUs cannot do
  double gpu = 0;                            ///< seconds of a GPU; none if only CPU workers can do it
  int tasks = 0;

  void add(double seconds, double on_gpu = 0, double kept_seconds = 0) {
    if (seconds <= 0) return;
    sum += seconds;
    squares += seconds * seconds;
    longest = std::max(longest, seconds);
    kept += kept_seconds;
    gpu += on_gpu;
    ++tasks;
  }
  /// As work shared by all workers; `left_to_gpus`: under the scheduler's rule for stages that suit GPUs.
  SharedWork shared(bool left_to_gpus) const {
    return {sum - kept, gpu, left_to_gpus && tasks > 0 ? (sum - kept) / tasks : 0};
  }
  double span(FmmWorkers const& workers, bool left_to_gpus = false) const {
    Machine const machine{.cpus = workers.cpus};
    if (workers.gpus <= 0 || gpu <= 0) return std::max(machine.span(sum, tasks), longest);
    double const all = shared_seconds({shared(left_to_gpus)}, workers.cpus, workers.gpus);
    return machine.span(kept, tasks) + std::max(all, std::min(longest, gpu / workers.gpus));
  }
};
using Levels = std::map<int, Stage>;

FmmPrediction on_gpus_alone(FmmTree const& tree, FmmSeconds const& t, FmmWorkers const& workers) {
  FmmSeconds const& g = workers.gpu;
  FmmPrediction result;
  double on_gpus = 0, pairs = 0;
  auto const add = [&](double amount, double of_cpu, double of_gpu, double task) {
    if (amount <= 0) return;
    result.work += amount * of_cpu;
    on_gpus += task + amount * of_gpu;
  };
  for (int b = 0; b < tree.blocks(); ++b) {
    TreeBlock const& block = tree.block(b);
    BlockLists const& lists = tree.lists(b);
    add(lists.p2p.work, t.pair, g.pair, workers.short_task);
    pairs += lists.p2p.work * g.pair;
    add(lists.m2l.work, t.interaction, g.interaction, workers.short_task);
    add(lists.m2p.work, t.m2p, g.m2p, workers.short_task);
    add(lists.p2l.work, t.p2l, g.p2l, workers.short_task);
    add(lists.m2m.work + lists.l2l.work, t.shift, g.shift, 2 * workers.short_task);
    if (!block.of_leaves) continue;
    add(double(block.sources), t.source, g.source, 2 * workers.short_task);
    add(double(block.targets), t.target, g.target, 2 * workers.short_task);
  }
  result.shared = workers.start + on_gpus / workers.gpus;
  result.chain = result.shared + std::max(0.0, workers.communication - pairs / workers.gpus);  // P2P hides the rest
  return result;
}

}  // namespace

FmmCommunication communication_of(FmmTree const& tree, int ranks, double box, double source) {
  enum What : std::size_t { multipole, local, strength };
  struct Reads {
    What what;
    std::vector<std::int32_t> const& blocks;
  };
  auto sent = std::vector<FmmCommunication>(std::size_t(ranks));
  std::set<std::tuple<What, std::int32_t, int>> seen;  // data, block and reader
  std::set<std::pair<bool, int>> passes;               // level by level, up and down
  bool across = false;
  for (int b = 0; b < tree.blocks(); ++b) {
    BlockLists const& lists = tree.lists(b);
    int const reader = tree.owner(b);
    for (auto const& [what, blocks] :
         {Reads{multipole, lists.m2m.blocks}, Reads{multipole, lists.m2l.blocks}, Reads{multipole, lists.m2p.blocks},
          Reads{local, lists.l2l.blocks}, Reads{strength, lists.p2p.blocks}, Reads{strength, lists.p2l.blocks}})
      for (std::int32_t const other : blocks) {
        int const owner = tree.owner(other);
        if (owner == reader) continue;
        if (&blocks == &lists.m2m.blocks || what == local) passes.emplace(what == local, tree.block(b).level);
        else across = true;
        if (!seen.emplace(what, other, reader).second) continue;
        FmmCommunication& communication = sent[std::size_t(owner)];
        if (what == strength)
          communication.ghosts += source * double(BlockedPoints<double>::stride_for(int(tree.block(other).sources)));
        else communication.expansions += box * double(tree.block(other).size());
      }
  }
  FmmCommunication most =
      *std::ranges::max_element(sent, {}, [](FmmCommunication const& w) { return w.expansions + w.ghosts; });
  if (across || !passes.empty()) most.messages = 1 + double(passes.size()) + (across ? 1 : 0);  // and one for results
  return most;
}

double wanted_tasks(int cpus, int ranks) {
  constexpr double for_each = 16, least = 96, most = 256, for_rank = 4;
  return std::clamp(for_each * cpus, least, std::max(most, for_rank * ranks));
}

FmmPrediction predict_fmm(FmmTree const& tree, FmmSeconds const& t, FmmWorkers const& workers) {
  FmmSeconds const& g = workers.gpu;
  if (workers.on_gpu) return on_gpus_alone(tree, t, workers);
  Stage beside, p2m, m2l, p2l, l2p;
  Levels m2m, l2l;
  for (int b = 0; b < tree.blocks(); ++b) {
    TreeBlock const& block = tree.block(b);
    BlockLists const& lists = tree.lists(b);
    double const sources = block.sources, targets = block.targets;
    beside.add(t.pair * lists.p2p.work, workers.task + g.pair * lists.p2p.work);
    beside.add(t.m2p * lists.m2p.work, 0, t.m2p * lists.m2p.work);
    if (tree.has_multipole(b))
      m2m[block.level].add(t.shift * lists.m2m.work, workers.short_task + g.shift * lists.m2m.work);
    m2l.add(t.interaction * lists.m2l.work, workers.task + g.interaction * lists.m2l.work);
    p2l.add(t.p2l * lists.p2l.work, 0, t.p2l * lists.p2l.work);
    l2l[block.level].add(t.shift * lists.l2l.work, workers.short_task + g.shift * lists.l2l.work);
    if (block.of_leaves && tree.has_multipole(b))
      p2m.add(t.source * sources, workers.short_task + g.source * sources, t.particle * sources);
    if (block.of_leaves && tree.has_local(b))
      l2p.add(t.target * targets, workers.short_task + g.target * targets, t.particle * targets);
  }
  FmmPrediction result;
  double squares = 0;
  std::vector<SharedWork> shared;
  auto const chunk = [&](Stage const& stage, bool left_to_gpus = false) {
    result.work += stage.sum;
    squares += left_to_gpus && workers.gpus > 0 ? 0 : stage.squares;
    shared.push_back(stage.shared(left_to_gpus));
    shared.push_back({stage.kept});
  };
  auto const then = [&](Stage const& stage, bool left_to_gpus = false) {
    chunk(stage, left_to_gpus);
    result.chain += stage.span(workers, left_to_gpus);
  };
  chunk(beside, true);
  then(p2m);
  double const up = result.chain;  // everything else waits for this
  shared.pop_back();
  shared.pop_back();
  then(m2l, true);
  for (Stage const& stage : {p2l, l2p}) then(stage);
  for (Levels const& levels : {m2m, l2l})
    for (auto const& [level, stage] : levels) then(stage);
  double const start = workers.gpus > 0 ? workers.start : 0;
  result.chain = std::max(result.chain + workers.communication, beside.span(workers, true)) + start;
  if (result.work > 0) result.last = squares / result.work;
  double const merge = l2p.tasks > 0 ? l2p.kept / l2p.tasks : 0;
  result.shared = workers.gpus > 0 ? start + up + shared_seconds(shared, workers.cpus, workers.gpus) + merge
                                   : result.work / std::max(1, workers.cpus);
  return result;
}

void count_work(FmmTree const& tree, FmmPlanning& p) {
  p.depth = tree.depth();
  p.boxes = tree.boxes();
  p.blocks = std::size_t(tree.blocks());
  p.translations = std::size_t(tree.work(&BlockLists::m2l));
  p.evaluations = std::size_t(tree.work(&BlockLists::m2p));
  p.expansions = std::size_t(tree.work(&BlockLists::p2l));
  p.pairs = std::size_t(tree.work(&BlockLists::p2p));
}

}  // namespace nearfar::detail
