// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/gpu/gpu_tables.hpp"

#include "codelets/tree/grow_tree.hpp"
#include "codelets/tree/run_lists.hpp"
#include "tasks/fmm/gpu/run.hpp"

#include <algorithm>
#include <type_traits>

namespace nearfar::detail {

namespace {

/// Blocks with their points: those of an inner box are in leaves below it.
std::vector<GpuBlock> blocks_of(BoxesOnGpu const& made) {
  std::vector<GpuBlock> blocks;
  std::uint32_t sources = 0, targets = 0;  // in leaves below
  for (int l = made.counts.depth; l >= 0; --l) {
    auto const* const number = &made.numbers[std::size_t(TakeLevel::numbers * l)];
    auto const add = [&](bool of_leaves, std::uint32_t block_sources, std::uint32_t block_targets) {
      GpuBlock block;
      block.block = {l, of_leaves};
      block.boxes = block.block.size(made.counts);
      block.sources = block_sources;
      block.targets = block_targets;
      if (block.boxes > 0) blocks.push_back(std::move(block));
    };
    add(true, std::uint32_t(number[2]), std::uint32_t(number[3]));
    add(false, sources, targets);
    sources += std::uint32_t(number[2]);
    targets += std::uint32_t(number[3]);
  }
  std::ranges::reverse(blocks);
  return blocks;
}

/// Counts of a tree's lists, in the GPU's memory, and their totals here.
struct CountedLists {
  CountListsArgs args;
  std::vector<Data> data;
  std::vector<std::uint64_t> totals;

  TableCounts tables() { return counts_of_tables(args, totals.data()); }
};

CountedLists count_lists(std::shared_ptr<RuntimeState> const& runtime, BoxesOnGpu const& made, int top,
                         std::uint32_t few, std::function<void(Graph&)> const& before) {
  CountedLists lists{{made.counts, top, few}, {}, {}};
  TableCounts const sizes = lists.tables();
  lists.totals.resize(std::size_t(sizes.numbers()));
  lists.data.push_back(Data::temporary<std::int32_t>("counts of lists", sizes.words()));
  lists.data.push_back(Data::temporary<std::uint64_t>("totals of lists", sizes.numbers()));
  run_and_wait(runtime, [&](Graph& graph) {
    before(graph);
    auto const to = SolveData::over("totals of lists", lists.totals.data(), sizes.numbers());
    graph.insert<CountLists>(lists.args, {0, flops_of(made.counts.all())}, read(made.boxes), read(made.near),
                             write(handles_of(lists.data)), write(to));
    graph.solve().bring_home(to);
  });
  return lists;
}

/// Makes room for tables, in the order of MakeTables, and notes what their blocks read.
class Tables {
 public:
  Tables(GpuTables& made, CountedLists& lists, Targets targets)
      : made_(made), tables_(lists.tables()), args_{lists.args} {
    BoxCounts const& counts = lists.args.counts;
    for (int l = 0; l <= counts.depth; ++l)
      if (counts.leaves[l] > 0) add_leaves(l, targets);
    for (int block = 0; block < tables_.blocks(); ++block) add_larger({block / 2, block % 2 != 0});
    for_each_list({counts, {}, nullptr, nullptr}, args_.lists.top, nullptr,
                  [&](auto const& list, ListCounts const& here) { add_list(list, here.number); });
  }
  MakeTablesArgs const& args() const { return args_; }
  std::vector<Handle> const& handles() const { return handles_; }

 private:
  void add(Data& table, char const* name, std::int64_t words) {
    table = made_.room ? made_.room->next<std::int32_t>(name, words) : Data::temporary<std::int32_t>(name, words);
    handles_.push_back(table);
  }
  GpuBlock& block(BoxBlock const& of) { return made_.blocks[std::size_t(made_.block(of))]; }
  void note(Gather& gather, ReadBy reader, BoxBlock const& of, double work) {
    gather.work = work;
    for (int other = 0; other < tables_.blocks(); ++other)
      if (tables_.reads(reader, of.number(), other) != 0)
        gather.blocks.push_back(made_.block({other / 2, other % 2 != 0}));
  }

  void add_leaves(int level, Targets targets) {
    constexpr int head = PairTable<PointRun>::head;
    GpuBlock& leaves = block({level, true});
    TableCounts::Leaves const& of = tables_.of_leaves(level);
    std::int64_t const count = leaves.boxes;
    note(leaves.lists.p2p, ReadBy::p2p, leaves.block, double(of.pairs));
    note(leaves.lists.m2p, ReadBy::m2p, leaves.block, double(of.to_points));
    args_.pairs[level] = double(of.pairs);
    add(leaves.source_leaves, "leaves", 5 * count);
    if (targets == Targets::own) add(leaves.target_leaves, "leaves of targets", 5 * count);
    add(leaves.p2p, "p2p table", head + 5 * count + 3 + 6 * std::int64_t(of.runs));
    if (of.far == 0) return;
    args_.m2p |= 1u << level;
    add(leaves.m2p, "m2p table", head + 2 * count + 6 * std::int64_t(of.far));
  }
  void add_larger(BoxBlock const& of) {
    TableCounts::Larger const& larger = tables_.of_larger(of.number());
    if (larger.runs == 0) return;
    GpuBlock& boxes = block(of);
    note(boxes.lists.p2l, ReadBy::p2l, of, double(larger.to_locals));
    args_.p2l |= std::uint64_t(1) << of.number();
    if (!of.of_leaves) add(boxes.source_leaves, "places", 5 * std::int64_t(boxes.boxes));
    add(boxes.p2l, "p2l table",
        PairTable<PointRun>::head + 2 * std::int64_t(boxes.boxes) + 6 * std::int64_t(larger.runs));
  }
  template <class List>
  void add_list(List const& list, int number) {
    GpuBlock& boxes = block(list.block);
    auto const interactions = std::int64_t(tables_.of_list(number)[0]), runs = std::int64_t(tables_.of_list(number)[1]);
    auto const put = [&](Data& table, Gather& gather) {
      add(table, "table", RunTable::head + 3 * (runs + interactions));
      if (std::is_same_v<List, Parents>)
        gather = {{}, {made_.block({list.block.level - 1, false})}, double(interactions)};
      else note(gather, List::reader, list.block, double(interactions));
    };
    if constexpr (std::is_same_v<List, Children>) put(boxes.m2m, boxes.lists.m2m);
    else if constexpr (std::is_same_v<List, Parents>) put(boxes.l2l, boxes.lists.l2l);
    else put(boxes.m2l, boxes.lists.m2l);
  }

  GpuTables& made_;
  TableCounts tables_;
  MakeTablesArgs args_;
  std::vector<Handle> handles_;
};

}  // namespace

int GpuTables::block(BoxBlock const& of) const {
  auto const found = std::ranges::find(blocks, of.number(), [](GpuBlock const& b) { return b.block.number(); });
  return found == blocks.end() ? -1 : int(found - blocks.begin());
}

GpuTables make_tables(std::shared_ptr<RuntimeState> const& runtime, BoxesOnGpu const& made, TreeShape const& shape,
                      std::uint32_t few, std::function<void(Graph&)> const& before,
                      std::function<void(Graph&)> const& also) {
  CountedLists lists = count_lists(runtime, made, top_of(shape), few, before);
  GpuTables tree{shape, double(made.numbers.back()), blocks_of(made), made.room};
  Tables const tables(tree, lists, made.targets);
  run_and_wait(runtime, [&](Graph& graph) {
    graph.insert<MakeTables>(tables.args(), {0, flops_of(made.counts.all())}, read(made.boxes), read(made.near),
                             read(handles_of(lists.data)), write(tables.handles()));
    also(graph);
  });
  for (GpuBlock& block : tree.blocks)
    for (Data* const data : {&block.source_leaves, &block.target_leaves, &block.m2m, &block.l2l, &block.m2l, &block.p2p,
                             &block.m2p, &block.p2l})
      if (*data != nullptr) data->freeze();
  return tree;
}

}  // namespace nearfar::detail
