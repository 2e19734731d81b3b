// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/graph.hpp"

#include "codelets/points/bin/bin.hpp"
#include "codelets/points/merge/merge.hpp"

#include <algorithm>
#include <limits>

namespace nearfar::detail {

namespace {

/// Flops of each task of a multipole solve, from the interaction lists: the keys of StarPU's cost models.
struct FmmCosts {
  FmmTree const& tree;
  FmmFlops flops;
  int rhs, vectors;

  double bin(int b) const { return double(vectors) * tree.block(b).sources; }
  double merge(int b) const { return 2.0 * vectors * tree.block(b).targets; }
  double energy(int b) const { return 16.0 * tree.block(b).targets; }
  double moment(int b) const { return 12.0 * vectors * tree.block(b).sources; }
  double field(int b) const { return 20.0 * vectors * tree.block(b).targets; }
  double p2m(int b) const { return vectors * flops.p2m * tree.block(b).sources; }
  double l2p(int b) const { return vectors * flops.l2p * tree.block(b).targets; }
  double m2m(int b) const { return rhs * flops.m2m * tree.lists(b).m2m.work; }
  double l2l(int b) const { return rhs * flops.l2l * tree.lists(b).l2l.work; }
  double m2l(int b) const { return rhs * flops.m2l * tree.lists(b).m2l.work; }
  double m2p(int b) const { return vectors * flops.m2p * tree.lists(b).m2p.work; }
  double p2l(int b) const { return vectors * flops.p2l * tree.lists(b).p2l.work; }
  double p2p(int b) const { return vectors * flops.pair * tree.lists(b).p2p.work; }
  double lattice() const { return rhs * flops.lattice; }
};

/// The handle of a block; null if the block has no such data.
Handle of(std::vector<SolveData> const& list, int block) { return list[std::size_t(block)]; }

std::vector<Handle> expansions_of(std::vector<Data> const& data, std::vector<std::int32_t> const& blocks) {
  std::vector<Handle> handles;
  for (std::int32_t b : blocks) handles.push_back(data[std::size_t(b)]);
  return handles;
}

/// Positions and strengths of a list of blocks, as P2L reads them.
template <class T>
std::vector<LeafSources> points_of(FmmJob<T> const& job, std::vector<std::int32_t> const& blocks) {
  std::vector<LeafSources> sources;
  for (std::int32_t b : blocks) sources.push_back({job.points.sources().position(b), of(job.strength_block, b)});
  return sources;
}

/// The same as P2P reads them, which only uses differences of positions.
template <class T>
std::vector<LeafSources> near_points_of(FmmJob<T> const& job, std::vector<std::int32_t> const& blocks) {
  std::vector<LeafSources> sources;
  for (std::int32_t b : blocks) sources.push_back({job.points.sources().near_position(b), of(job.strength_block, b)});
  return sources;
}

/// largest, or copy_strengths -> units -> bin: strengths in the order of the leaves.
template <class T>
void build_binning(Graph& graph, FmmJob<T> const& job, FmmStages const& stages, FmmCosts const& cost) {
  FmmTree const& tree = job.tree();
  auto const& sources = job.points.sources();
  build_opening(graph, job.solve, job.points.unit());
  for (int b = 0; b < tree.blocks(); ++b)
    if (tree.is_source_leaves(b))
      graph.insert<Bin<T>>({.components = job.solve.vectors * stages.unit.strengths.numbers,
                            .columns = {},
                            .strengths = stages.unit.strengths,
                            .cut = job.solve.strengths.cut(tree.owner(b))},
                           {b, cost.bin(b), tree.owner(b), tree.sends_strengths(b)},
                           read(job.solve.strengths_and_units(tree.owner(b))),
                           read(job.solve.strengths.rows(job.points, b)), read(sources.offset(b)),
                           read(sources.position(b)), write(of(job.strength_block, b)), write(std::vector<Handle>{}));
}

/// p2m -> m2m, from the leaves to the root.
template <class T>
void build_upward_pass(Graph& graph, FmmJob<T> const& job, FmmStages const& stages, FmmCosts const& cost) {
  FmmTree const& tree = job.tree();
  int const order = job.setup.order;
  auto const& aspect = job.shape().aspect;
  for (int b = tree.blocks() - 1; b >= 0; --b) {
    if (!tree.has_multipole(b)) continue;
    if (tree.block(b).of_leaves)
      stages.p2m(graph, {order, job.solve.vectors, tree.half(b), -job.shape().half, {aspect[0], aspect[1], aspect[2]}},
                 {b, cost.p2m(b), tree.owner(b), tree.sends_multipole(b)}, read(tree.leaves(b, Side::sources)),
                 read(job.points.sources().position(b)), read(of(job.strength_block, b)), write(job.work.multipole(b)));
    else
      stages.m2m(graph, {order, job.solve.vectors * stages.rhs},
                 {b, cost.m2m(b), tree.owner(b), tree.sends_multipole(b)}, read(job.setup.operators),
                 read(tree.table(b, &BlockLists::m2m)),
                 read(expansions_of(job.work.multipoles, tree.lists(b).m2m.blocks)), write(job.work.multipole(b)));
  }
}

template <class T>
void insert_l2p(Graph& graph, FmmJob<T> const& job, FmmStages const& stages, FmmCosts const& cost, int b) {
  FmmTree const& tree = job.tree();
  auto const& aspect = job.shape().aspect;
  stages.l2p(graph,
             {job.setup.order, job.solve.vectors, tree.half(b), -job.shape().half, {aspect[0], aspect[1], aspect[2]}},
             {b, cost.l2p(b), tree.owner(b), job.points.results_leave(std::size_t(b), tree.owner(b))},
             read(tree.leaves(b, Side::targets)), read(job.points.targets().position(b)), read(job.work.local(b)),
             write(of(job.far, b)));
}

/// (lattice) -> m2l -> p2l -> l2l -> l2p, from the root to the leaves.
template <class T>
void build_downward_pass(Graph& graph, FmmJob<T> const& job, FmmStages const& stages, FmmCosts const& cost) {
  FmmTree const& tree = job.tree();
  FmmWorkspace const& work = job.work;
  int const order = job.setup.order, separation = job.setup.separation, rhs = job.solve.vectors * stages.rhs;
  auto const& aspect = job.shape().aspect;
  double const half = job.shape().half;
  bool const periodic = job.shape().periodic;
  if (periodic)
    stages.lattice(graph, {order, rhs, separation}, {0, cost.lattice(), tree.owner(0), tree.sends_local(0)},
                   read(job.setup.lattice), read(work.multipole(0)), write(work.local(0)));
  for (int b = periodic ? 1 : 0; b < tree.blocks(); ++b) {
    if (!tree.has_local(b)) continue;
    BlockLists const& lists = tree.lists(b);
    stages.m2l(graph, {order, rhs, separation}, {b, cost.m2l(b), tree.owner(b), tree.sends_local(b)},
               read(job.setup.operators), read(tree.table(b, &BlockLists::m2l)),
               read(expansions_of(work.multipoles, lists.m2l.blocks)), write(work.local(b)));
    if (!lists.p2l.empty())
      stages.p2l(graph, {order, job.solve.vectors, tree.half(b), -half, 2 * half, {aspect[0], aspect[1], aspect[2]}},
                 {b, cost.p2l(b), tree.owner(b), tree.sends_local(b)}, read(tree.leaves(b, Side::targets)),
                 read(tree.table(b, &BlockLists::p2l)), read(points_of(job, lists.p2l.blocks)),
                 read_write(work.local(b)));
    if (!lists.l2l.empty())
      stages.l2l(graph, {order, rhs}, {b, cost.l2l(b), tree.owner(b), tree.sends_local(b)}, read(job.setup.operators),
                 read(tree.table(b, &BlockLists::l2l)), read(expansions_of(work.locals, lists.l2l.blocks)),
                 read_write(work.local(b)));
    if (tree.block(b).of_leaves) insert_l2p(graph, job, stages, cost, b);
  }
  if (periodic && tree.block(0).of_leaves) insert_l2p(graph, job, stages, cost, 0);
}

/// m2p: from boxes that are not near, to leaves that are larger.
template <class T>
void build_from_boxes(Graph& graph, FmmJob<T> const& job, FmmStages const& stages, FmmCosts const& cost) {
  FmmTree const& tree = job.tree();
  auto const& aspect = job.shape().aspect;
  for (int b = 0; b < tree.blocks(); ++b)
    if (auto const& m2p = tree.lists(b).m2p; !m2p.empty())
      stages.m2p(graph, {job.setup.order, job.solve.vectors, -job.shape().half, {aspect[0], aspect[1], aspect[2]}},
                 {b, cost.m2p(b), tree.owner(b), job.points.results_leave(std::size_t(b), tree.owner(b))},
                 read(tree.leaves(b, Side::targets)), read(tree.table(b, &BlockLists::m2p)),
                 read(job.points.targets().position(b)), read(expansions_of(job.work.multipoles, m2p.blocks)),
                 write(of(job.from_boxes, b)));
}

template <class T>
void build_far_part(Graph& graph, FmmJob<T> const& job, FmmStages const& stages, FmmCosts const& cost) {
  build_upward_pass(graph, job, stages, cost);
  build_downward_pass(graph, job, stages, cost);
  build_from_boxes(graph, job, stages, cost);
}

/// The layers of a kernel that falls like charges do, or like dipoles, or has both.
CellMomentArgs moments_of(FmmStages const& stages, int vectors) {
  CellMomentArgs args{vectors, 0, 0};
  for (int l = 0; l < stages.unit.layers; ++l)
    if (stages.unit.layer[l].decay == 1) args.charges = 1;
    else args.dipoles = 3;
  return args;
}

/// dipole -> dipoles -> cell: the field of a periodic cell's dipole moment, or the check that the cell is neutral.
template <class T>
void build_cell(Graph& graph, FmmJob<T> const& job, FmmStages const& stages, FmmCosts const& cost) {
  FmmTree const& tree = job.tree();
  bool const vacuum = job.setup.boundary == Boundary::vacuum;
  auto const& aspect = job.shape().aspect;
  std::vector<Handle> dipoles;
  for (int b = 0; b < tree.blocks(); ++b) {
    if (!tree.is_source_leaves(b)) continue;
    dipoles.push_back(of(job.dipole, b));
    graph.insert<CellMoment<T>>(moments_of(stages, job.solve.vectors), {b, cost.moment(b), tree.owner(b)},
                                read(tree.leaves(b, Side::sources)), read(job.points.sources().position(b)),
                                read(of(job.strength_block, b)), write(of(job.dipole, b)));
  }
  constexpr double rounding = 100 * double(std::numeric_limits<T>::epsilon());
  graph.insert<CellSum>({job.solve.vectors, vacuum, rounding}, {0, double(dipoles.size())}, read(dipoles),
                        read(job.solve.units.units), write(job.dipoles));
  for (int b = 0; b < tree.blocks(); ++b)
    if (tree.is_target_leaves(b) && !vacuum)
      stages.cell(
          graph,
          {job.solve.vectors, job.setup.lattice_constant, 2 * job.shape().half, {aspect[0], aspect[1], aspect[2]}},
          {b, cost.field(b), tree.owner(b)}, read(job.dipoles), read(tree.leaves(b, Side::targets)),
          read(job.points.targets().position(b)), write(of(job.cell, b)));
}

/// leaf_p2p, or that of softened pairs
template <class T>
void build_near_part(Graph& graph, FmmJob<T> const& job, FmmStages const& stages, FmmCosts const& cost) {
  FmmTree const& tree = job.tree();
  auto const& aspect = job.shape().aspect;
  double const softening = job.points.unit().ours(job.setup.softening);
  for (int b = 0; b < tree.blocks(); ++b) {
    if (!tree.is_target_leaves(b)) continue;
    auto const& around = tree.lists(b).p2p.blocks;
    auto const own = std::find(around.begin(), around.end(), b);
    int const place = job.points.same() && own != around.end() ? int(own - around.begin()) : -1;
    auto const insert = [&](auto stage, auto const& args) {
      stage(graph, args, {b, cost.p2p(b), tree.owner(b), job.points.results_leave(std::size_t(b), tree.owner(b))},
            read(tree.leaves(b, Side::targets)), read(tree.table(b, &BlockLists::p2p)),
            read(job.points.targets().near_position(b)), read(near_points_of(job, around)), write(of(job.near, b)));
    };
    FmmP2PArgs const args{
        job.solve.vectors, 2 * job.shape().half, {aspect[0], aspect[1], aspect[2]}, place, tree.half(b)};
    if (softening > 0) insert(stages.soft_p2p, SoftP2PArgs{args, softening * softening});
    else insert(stages.leaf_p2p, args);
  }
}

/// The parts of a block's results, in the order in which they are added.
template <class T>
std::vector<Handle> parts_of(FmmJob<T> const& job, int b) {
  std::vector<Handle> parts;
  for (auto const* part : {&job.near, &job.from_boxes, &job.far, &job.cell})
    if (of(*part, b) != nullptr) parts.push_back(of(*part, b));
  return parts;
}

/// energy -> energies: what each block of leaves adds, in their order.
template <class T>
void build_energy(Graph& graph, FmmJob<T> const& job, FmmStages const& stages, FmmCosts const& cost) {
  FmmTree const& tree = job.tree();
  std::size_t next = 0;
  for (int b = 0; b < tree.blocks(); ++b)
    if (tree.is_target_leaves(b))
      graph.insert<Energy<T>>({.chunk = {0, job.points.sources().count(b)},
                               .components = stages.results.numbers,
                               .at = stages.energy,
                               .virial = job.solve.energy.virial},
                              {b, cost.energy(b), tree.owner(b)}, read(parts_of(job, b)),
                              read(of(job.strength_block, b)), read(job.points.sources().position(b)),
                              read(job.points.sources().position(b)), write(job.solve.energy.of_chunk[next++]));
  build_energies(graph, job.solve.energy, stages.energy, {0, 1, 2}, 3, job.solve.units.units);
}

/// merge: the parts of each block of targets to the callers' rows.
template <class T>
void build_merging(Graph& graph, FmmJob<T> const& job, FmmStages const& stages, FmmCosts const& cost) {
  FmmTree const& tree = job.tree();
  auto const& targets = job.points.targets();
  std::vector<RangeMerge> merges;
  for (int b = 0; b < tree.blocks(); ++b) {
    if (!tree.is_target_leaves(b)) continue;
    MergeArgs const args{
        job.solve.vectors * stages.results.numbers, stages.columns, {0, targets.count(b)}, 0, stages.results};
    Label const label{b, cost.merge(b), tree.owner(b)};
    merges.push_back({std::size_t(b), args, label, parts_of(job, b), {}, targets.index(b), job.solve.units.units});
  }
  insert_merges(graph, job.solve.results, merges);
}

}  // namespace

template <class T>
void build_fmm_graph(Graph& graph, FmmJob<T> const& job, FmmStages const& stages) {
  FmmCosts const cost{job.tree(), job.setup.flops, job.solve.vectors * stages.rhs, job.solve.vectors};
  if (job.points.all_on_gpus()) graph.keep_to_gpus(job.tree().gpus());
  build_binning(graph, job, stages, cost);
  build_far_part(graph, job, stages, cost);
  if (job.shape().periodic) build_cell(graph, job, stages, cost);
  build_near_part(graph, job, stages, cost);
  if (job.faces.tables != nullptr) build_faces(graph, job, stages);
  if (job.solve.energy.any()) build_energy(graph, job, stages, cost);
  build_merging(graph, job, stages, cost);
}

template void build_fmm_graph(Graph&, FmmJob<double> const&, FmmStages const&);
template void build_fmm_graph(Graph&, FmmJob<float> const&, FmmStages const&);

}  // namespace nearfar::detail
