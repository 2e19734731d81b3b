// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/bin/bin.hpp"
#include "codelets/cell/cell.hpp"
#include "codelets/fmm_args.hpp"
#include "codelets/merge/merge.hpp"
#include "tasks/fmm_costs.hpp"
#include "tasks/fmm_job.hpp"

#include "tasks/graph.hpp"
#include <algorithm>

#include <limits>

namespace nearfar::detail {

template <class Stages, class T>
void insert_l2p(Graph& graph, FmmJob<T> const& job, FmmCosts const& cost, int b) {
  FmmTree const& tree = *job.points.tree();
  auto const& shape = tree.tree().shape;
  auto const& a = shape.aspect;
  double const half = tree.tree().half(tree.block(b).level);
  graph.insert<typename Stages::L2P>({job.setup.order, job.vectors, half, -shape.half, {a[0], a[1], a[2]}},
                                     {b, cost.l2p(b)}, read(tree.leaves(b, Side::targets)),
                                     read(job.points.targets().position(b)), read(job.lane.local(b)),
                                     write(job.far[std::size_t(b)]));
}

/// What the dipole moment of a periodic cell does, or that it has to be neutral.
template <class Stages, class T>
void insert_cell(Graph& graph, FmmJob<T> const& job, FmmCosts const& cost) {
  FmmTree const& tree = *job.points.tree();
  if (!tree.tree().shape.periodic) return;
  bool const vacuum = job.setup.boundary == Boundary::vacuum;
  auto const& a = tree.tree().shape.aspect;
  std::vector<Handle> dipoles;
  for (int b = 0; b < tree.blocks(); ++b) {
    if (!tree.is_source_leaves(b)) continue;
    dipoles.push_back(job.dipole[std::size_t(b)]);
    graph.insert<CellMoment<T>>({job.vectors}, {b, cost.moment(b)}, read(tree.leaves(b, Side::sources)),
                                read(job.points.sources().position(b)), read(job.strength_block[std::size_t(b)]),
                                write(job.dipole[std::size_t(b)]));
  }
  constexpr double rounding = 100 * double(std::numeric_limits<T>::epsilon());
  graph.insert<CellSum>({job.vectors, vacuum, rounding}, {0, double(dipoles.size())}, read(dipoles),
                        write(job.dipoles));
  for (int b = 0; b < tree.blocks(); ++b)
    if (tree.is_target_leaves(b) && !vacuum)
      graph.insert<typename Stages::Field>(
          {job.vectors, job.setup.separation, 2 * tree.tree().shape.half, {a[0], a[1], a[2]}}, {b, cost.field(b)},
          read(job.dipoles), read(tree.leaves(b, Side::targets)), read(job.points.targets().position(b)),
          write(job.cell[std::size_t(b)]));
}

/// Submits the graph of one solve: bin -> p2m -> m2m -> (lattice) -> m2l -> p2l -> l2l -> l2p beside p2p and m2p, then
/// merge; in a periodic cell also bin -> dipole -> dipoles -> cell -> merge. `Stages` says which bodies: FmmStages, or
/// those of a test.
template <class Stages>
void build_fmm_graph(Graph& graph, FmmJob<typename Stages::Number>& job) {
  using T = typename Stages::Number;
  auto const& [setup, points, lane, vectors, strengths, result, strength_block, near, from_boxes, far, cell, dipole,
               dipoles] = job;
  FmmTree const& tree = *points.tree();
  auto const& sources = points.sources();
  auto const& targets = points.targets();
  int const order = setup.order, separation = setup.separation, blocks = tree.blocks();
  int const rhs = vectors * Stages::rhs, given = vectors * Stages::strengths, results = vectors * Stages::results;
  auto const& shape = tree.tree().shape;
  auto const& a = shape.aspect;
  bool const periodic = shape.periodic;
  double const edge = 2 * shape.half;
  auto const half = [&](int b) { return tree.tree().half(tree.block(b).level); };
  auto const of = [](std::vector<Data> const& list, int b) -> Handle { return list[std::size_t(b)]; };
  FmmCosts const cost{tree, setup.flops, rhs, vectors};

  for (int b = 0; b < blocks; ++b)
    if (tree.is_source_leaves(b))
      graph.insert<Bin<T>>({given, {}}, {b, cost.bin(b)}, read(strengths), read(sources.index(b)),
                           read(tree.leaves(b, Side::sources)), read(sources.position(b)), write(of(strength_block, b)),
                           write(std::vector<Handle>{}));

  for (int b = blocks - 1; b >= 0; --b) {
    if (!tree.has_multipole(b)) continue;
    auto const& children = tree.lists(b).m2m.blocks;
    if (tree.block(b).leaves)
      graph.insert<typename Stages::P2M>({order, vectors, half(b), -shape.half, {a[0], a[1], a[2]}}, {b, cost.p2m(b)},
                                         read(tree.leaves(b, Side::sources)), read(sources.position(b)),
                                         read(of(strength_block, b)), write(lane.multipole(b)));
    else
      graph.insert<typename Stages::M2M>({order, rhs}, {b, cost.m2m(b)}, read(setup.operators),
                                         read(tree.table(b, &BlockLists::m2m)),
                                         read(expansions_of(lane.multipoles, children)), write(lane.multipole(b)));
  }

  if (periodic)
    graph.insert<typename Stages::Lattice>({order, rhs, separation}, {0, cost.lattice()}, read(setup.lattice),
                                           read(lane.multipole(0)), write(lane.local(0)));

  for (int b = periodic ? 1 : 0; b < blocks; ++b) {
    if (!tree.has_local(b)) continue;
    auto const& [m2m, l2l, m2l, p2p, m2p, p2l] = tree.lists(b);
    graph.insert<typename Stages::M2L>({order, rhs, separation}, {b, cost.m2l(b)}, read(setup.operators),
                                       read(tree.table(b, &BlockLists::m2l)),
                                       read(expansions_of(lane.multipoles, m2l.blocks)), write(lane.local(b)));
    if (!p2l.empty())
      graph.insert<typename Stages::P2L>({order, vectors, half(b), -shape.half, edge, {a[0], a[1], a[2]}},
                                         {b, cost.p2l(b)}, read(tree.leaves(b, Side::targets)),
                                         read(tree.table(b, &BlockLists::p2l)), read(points_of(job, p2l.blocks)),
                                         read_write(lane.local(b)));
    if (!l2l.empty())
      graph.insert<typename Stages::L2L>({order, rhs}, {b, cost.l2l(b)}, read(setup.operators),
                                         read(tree.table(b, &BlockLists::l2l)),
                                         read(expansions_of(lane.locals, l2l.blocks)), read_write(lane.local(b)));
    if (tree.block(b).leaves) insert_l2p<Stages>(graph, job, cost, b);
  }
  if (periodic && tree.block(0).leaves) insert_l2p<Stages>(graph, job, cost, 0);

  for (int b = 0; b < blocks; ++b)
    if (auto const& m2p = tree.lists(b).m2p; !m2p.empty())
      graph.insert<typename Stages::M2P>({order, vectors, -shape.half, {a[0], a[1], a[2]}}, {b, cost.m2p(b)},
                                         read(tree.leaves(b, Side::targets)), read(tree.table(b, &BlockLists::m2p)),
                                         read(targets.position(b)), read(expansions_of(lane.multipoles, m2p.blocks)),
                                         write(of(from_boxes, b)));

  insert_cell<Stages>(graph, job, cost);

  for (int b = 0; b < blocks; ++b) {
    if (!tree.is_target_leaves(b)) continue;
    auto const& sources_of = tree.lists(b).p2p.blocks;
    auto const own = std::find(sources_of.begin(), sources_of.end(), b);
    bool const there = points.same() && own != sources_of.end();
    graph.insert<typename Stages::P2P>({vectors, edge, {a[0], a[1], a[2]}, there ? int(own - sources_of.begin()) : -1},
                                       {b, cost.p2p(b)}, read(tree.leaves(b, Side::targets)),
                                       read(tree.table(b, &BlockLists::p2p)), read(targets.exact_position(b)),
                                       read(points_of(job, sources_of, true)), write(of(near, b)));
  }

  for (int b = 0; b < blocks; ++b) {
    if (!tree.is_target_leaves(b)) continue;
    std::vector<Handle> parts;
    for (auto const* part : {&near, &from_boxes, &far, &cell})
      if (of(*part, b) != nullptr) parts.push_back(of(*part, b));
    graph.insert<Merge<T>>({results, {}, {0, targets.count(b)}}, {b, cost.merge(b)}, read(parts),
                           read(std::vector<Handle>{}), read(targets.index(b)), scatter(result));
  }
}

/// Submits the graph of a kernel.
template <class T>
void build_fmm_graph(Graph& graph, FmmJob<T>& job, Kernel kernel, bool gradient);

}  // namespace nearfar::detail
