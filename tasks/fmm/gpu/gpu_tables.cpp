// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/gpu/gpu_tables.hpp"

#include "codelets/tree/run_lists.hpp"
#include "tasks/fmm/gpu/run.hpp"

#include <algorithm>
#include <type_traits>

namespace nearfar::detail {

namespace {

/// Counts of a tree's lists, in the GPU's memory, and their totals here.
struct CountedLists {
  CountListsArgs args;
  std::vector<Data> data;
  std::vector<std::uint64_t> totals;

  TableCounts tables() { return counts_of_tables(args, totals.data()); }
};

CountedLists count_lists(std::shared_ptr<RuntimeState> const& runtime, BoxesOnGpu const& made, int top,
                         std::uint32_t few, std::function<void(Graph&)> const& before) {
  CountedLists lists{{made.counts, top, few, made.parts}, {}, {}};
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

/// Makes room for tables, in the order of MakeTables for each part, and notes what their blocks read.
class Tables {
 public:
  Tables(GpuTables& made, CountedLists& lists, Targets targets)
      : made_(made), tables_(lists.tables()), args_(std::size_t(lists.args.counts.parts)), handles_(args_.size()) {
    BoxTree const outline = outline_of(lists.args.counts, lists.args.parts);
    for (int part = 0; part < parts(); ++part) args_[std::size_t(part)] = {lists.args, part};
    for (int number = 0; number < tables_.blocks(); ++number) add_block(outline, BoxBlock::of(number, parts()));
    for (GpuBlock& block : made_.blocks)
      if (block.block.of_leaves) add_leaves(block, targets);
    for (GpuBlock& block : made_.blocks) add_larger(block);
    for_each_list(outline, lists.args.parts, lists.args.top, nullptr,
                  [&](auto const& list, ListCounts const& here) { add_list(list, here.number); });
  }
  int parts() const { return int(args_.size()); }
  MakeTablesArgs const& args(int part) const { return args_[std::size_t(part)]; }
  std::vector<Handle> const& handles(int part) const { return handles_[std::size_t(part)]; }
  std::int64_t boxes(int part) const {
    std::int64_t boxes = 0;
    for (GpuBlock const& block : made_.blocks) boxes += block.block.part == part ? block.boxes : 0;
    return boxes;
  }

 private:
  TableCounts::Block const& counts(BoxBlock const& of) const { return tables_.of_block(of.number(parts())); }
  void add_block(BoxTree const& outline, BoxBlock const& of) {
    if (outline.size(of) == 0) return;
    GpuBlock& block = made_.blocks.emplace_back();
    block.block = of;
    block.boxes = outline.size(of);
    block.sources = std::uint32_t(counts(of).sources);
    block.targets = std::uint32_t(counts(of).targets);
  }
  void add(GpuBlock const& block, Data& table, char const* name, std::int64_t words) {
    int const owner = made_.parted.owner(block.block);
    table = made_.room ? made_.room->next<std::int32_t>(name, words, owner)
                       : Data::temporary<std::int32_t>(name, words, owner);
    handles_[std::size_t(block.block.part)].push_back(table);
  }
  void note(Gather& gather, ReadBy reader, BoxBlock const& of, double work) {
    gather.work = work;
    for (int other = 0; other < tables_.blocks(); ++other)
      if (tables_.reads(reader, of.number(parts()), other) != 0)
        gather.blocks.push_back(made_.block(BoxBlock::of(other, parts())));
  }

  void add_leaves(GpuBlock& leaves, Targets targets) {
    constexpr int head = PairTable<PointRun>::head;
    TableCounts::Block const& of = counts(leaves.block);
    std::int64_t const count = leaves.boxes;
    note(leaves.lists.p2p, ReadBy::p2p, leaves.block, double(of.pairs));
    note(leaves.lists.m2p, ReadBy::m2p, leaves.block, double(of.to_points));
    add(leaves, leaves.source_leaves, "leaves", 5 * count);
    if (targets == Targets::own) add(leaves, leaves.target_leaves, "leaves of targets", 5 * count);
    add(leaves, leaves.p2p, "p2p table", head + 5 * count + 3 + 6 * std::int64_t(of.runs));
    if (of.far == 0) return;
    args_[std::size_t(leaves.block.part)].m2p |= MakeTablesArgs::bit(leaves.block);
    add(leaves, leaves.m2p, "m2p table", head + 2 * count + 6 * std::int64_t(of.far));
  }
  void add_larger(GpuBlock& boxes) {
    TableCounts::Block const& larger = counts(boxes.block);
    if (larger.x_runs == 0) return;
    note(boxes.lists.p2l, ReadBy::p2l, boxes.block, double(larger.to_locals));
    args_[std::size_t(boxes.block.part)].p2l |= MakeTablesArgs::bit(boxes.block);
    if (!boxes.block.of_leaves) add(boxes, boxes.source_leaves, "places", 5 * std::int64_t(boxes.boxes));
    add(boxes, boxes.p2l, "p2l table",
        PairTable<PointRun>::head + 2 * std::int64_t(boxes.boxes) + 6 * std::int64_t(larger.x_runs));
  }
  template <class List>
  void add_list(List const& list, int number) {
    GpuBlock& boxes = made_.blocks[std::size_t(made_.block(list.block))];
    auto const interactions = std::int64_t(tables_.of_list(number)[0]), runs = std::int64_t(tables_.of_list(number)[1]);
    auto const put = [&](Data& table, Gather& gather) {
      add(boxes, table, "table", RunTable::head + 3 * (runs + interactions));
      note(gather, List::reader, list.block, double(interactions));
    };
    if constexpr (std::is_same_v<List, Children>) put(boxes.m2m, boxes.lists.m2m);
    else if constexpr (std::is_same_v<List, Parents>) put(boxes.l2l, boxes.lists.l2l);
    else put(boxes.m2l, boxes.lists.m2l);
  }

  GpuTables& made_;
  TableCounts tables_;
  std::vector<MakeTablesArgs> args_;          ///< by part
  std::vector<std::vector<Handle>> handles_;  ///< by part
};

}  // namespace

int GpuTables::block(BoxBlock const& of) const {
  auto const number = [this](BoxBlock const& block) { return block.number(parted.parts); };
  auto const found =
      std::ranges::lower_bound(blocks, number(of), {}, [&](GpuBlock const& b) { return number(b.block); });
  return found == blocks.end() || number(found->block) != number(of) ? -1 : int(found - blocks.begin());
}

GpuTables make_tables(std::shared_ptr<RuntimeState> const& runtime, BoxesOnGpu const& made, GpuTables tree,
                      std::uint32_t few, std::function<void(Graph&)> const& before,
                      std::function<void(Graph&, GpuTables const&)> const& also) {
  CountedLists lists = count_lists(runtime, made, top_of(tree.shape), few, before);
  Tables const tables(tree, lists, made.targets);
  run_and_wait(runtime, [&](Graph& graph) {
    for (int part = 0; part < tables.parts(); ++part)  // by the GPU that owns them: they are larger than what they need
      if (!tables.handles(part).empty())
        graph.insert<MakeTables>(tables.args(part), {part, flops_of(tables.boxes(part))}, read(made.boxes),
                                 read(made.near), read(handles_of(lists.data)), write(tables.handles(part)));
    also(graph, tree);
  });
  for (GpuBlock& block : tree.blocks)
    for (Data* const data : {&block.source_leaves, &block.target_leaves, &block.m2m, &block.l2l, &block.m2l, &block.p2p,
                             &block.m2p, &block.p2l})
      if (*data != nullptr) data->freeze();
  return tree;
}

}  // namespace nearfar::detail
