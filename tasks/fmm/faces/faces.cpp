// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/faces/faces.hpp"

#include "codelets/fmm/lattice/lattice_virial.hpp"
#include "core/fmm/packed.hpp"
#include "tasks/fmm/job.hpp"

#include <algorithm>

namespace nearfar::detail {

namespace {

Handle of(std::vector<SolveData> const& list, int block) { return list[std::size_t(block)]; }

template <class Datas>
std::vector<Handle> handles_of(Datas const& data, std::vector<std::int32_t> const& blocks) {
  std::vector<Handle> handles;
  for (std::int32_t const b : blocks) handles.push_back(data[std::size_t(b)]);
  return handles;
}

/// The field of what is beyond the faces across one axis.
template <class T>
class FacePass {
 public:
  FacePass(Graph& graph, FmmJob<T> const& job, FmmStages const& stages, int axis)
      : graph_(graph), job_(job), stages_(stages), tree_(job.tree()), axis_(axis),
        data_(job.faces.axes[std::size_t(axis)]) {
    std::copy(job.shape().aspect.begin(), job.shape().aspect.end(), aspect_);
  }

  void build() {
    for (int b = 0; b < tree_.blocks(); ++b)
      if (tree_.has_local(b)) build_locals(b);
    for (int b = 0; b < tree_.blocks(); ++b)
      if (tree_.is_target_leaves(b)) build_points(b);
  }

  /// Minus the forces times the shift.
  void add_forces(SolveData const& sums, int b) {
    EnergyArgs args{.chunk = {0, job_.points.sources().count(b)},
                    .components = stages_.results.numbers,
                    .at = stages_.energy,
                    .virial = true,
                    .shifted = true};
    args.shift[axis_] = -2 * job_.shape().half * aspect_[axis_];
    std::vector<Handle> parts;
    for (auto const* part : {&data_.near, &data_.from_boxes, &data_.far})
      if (of(*part, b) != nullptr) parts.push_back(of(*part, b));
    graph_.insert<Energy<T>>(args, label(b, 16.0 * tree_.block(b).targets), read(parts),
                             read(of(job_.strength_block, b)), read(job_.points.sources().position(b)),
                             read(job_.points.sources().position(b)), write(sums));
  }

 private:
  FaceTables::Block const& tables(int b) const { return job_.faces.tables->block(axis_, b); }
  Label label(int b, double flops) const { return {b, flops, tree_.owner(b)}; }
  double half() const { return job_.shape().half; }

  /// m2l -> p2l -> l2l -> l2p
  void build_locals(int b) {
    int const order = job_.setup.order, rhs = stages_.rhs;
    BlockLists const& lists = tree_.lists(b);
    FaceLists const& face = tables(b).lists;
    stages_.m2l(graph_, {order, rhs, job_.setup.separation}, label(b, rhs * job_.setup.flops.m2l * face.m2l.work),
                read(job_.setup.operators), read(tables(b).m2l),
                read(handles_of(job_.work.multipoles, lists.m2l.blocks)), write(of(data_.locals, b)));
    if (!lists.p2l.empty())
      stages_.p2l(graph_, {order, 1, tree_.half(b), -half(), 2 * half(), {aspect_[0], aspect_[1], aspect_[2]}},
                  label(b, job_.setup.flops.p2l * face.p2l.work), read(tree_.leaves(b, Side::targets)),
                  read(tables(b).p2l), read(points_of(lists.p2l.blocks, false)), read_write(of(data_.locals, b)));
    if (!lists.l2l.empty())
      stages_.l2l(graph_, {order, rhs}, label(b, rhs * job_.setup.flops.l2l * lists.l2l.work),
                  read(job_.setup.operators), read(tree_.table(b, &BlockLists::l2l)),
                  read(handles_of(data_.locals, lists.l2l.blocks)), read_write(of(data_.locals, b)));
    if (tree_.block(b).of_leaves)
      stages_.l2p(graph_, {order, 1, tree_.half(b), -half(), {aspect_[0], aspect_[1], aspect_[2]}},
                  label(b, job_.setup.flops.l2p * tree_.block(b).targets), read(tree_.leaves(b, Side::targets)),
                  read(job_.points.targets().position(b)), read(of(data_.locals, b)), write(of(data_.far, b)));
  }

  /// leaf_p2p, m2p
  void build_points(int b) {
    BlockLists const& lists = tree_.lists(b);
    FaceLists const& face = tables(b).lists;
    if (of(data_.near, b) != nullptr)
      stages_.leaf_p2p(graph_, {1, 2 * half(), {aspect_[0], aspect_[1], aspect_[2]}, -1, tree_.half(b)},
                       label(b, job_.setup.flops.pair * face.p2p.work), read(tree_.leaves(b, Side::targets)),
                       read(tables(b).p2p), read(job_.points.targets().near_position(b)),
                       read(points_of(lists.p2p.blocks, true)), write(of(data_.near, b)));
    if (of(data_.from_boxes, b) != nullptr)
      stages_.m2p(graph_, {job_.setup.order, 1, -half(), {aspect_[0], aspect_[1], aspect_[2]}},
                  label(b, job_.setup.flops.m2p * face.m2p.work), read(tree_.leaves(b, Side::targets)),
                  read(tables(b).m2p), read(job_.points.targets().position(b)),
                  read(handles_of(job_.work.multipoles, lists.m2p.blocks)), write(of(data_.from_boxes, b)));
  }

  /// Positions, those of the near part or relative to the root, and strengths.
  std::vector<LeafSources> points_of(std::vector<std::int32_t> const& blocks, bool near) const {
    std::vector<LeafSources> of_blocks;
    auto const& sources = job_.points.sources();
    for (std::int32_t const b : blocks)
      of_blocks.push_back({near ? sources.near_position(b) : sources.position(b), of(job_.strength_block, b)});
    return of_blocks;
  }

  Graph& graph_;
  FmmJob<T> const& job_;
  FmmStages const& stages_;
  FmmTree const& tree_;
  int axis_;
  typename FmmFaces<T>::Axis const& data_;
  double aspect_[3];
};

}  // namespace

template <class T>
FmmFaces<T> make_faces(SolveState& solve, FmmPointSet<T> const& points, FmmStages const& stages) {
  FmmTree const& tree = *points.tree();
  int const rank = solve.ranks() != nullptr ? solve.ranks()->rank() : everywhere;
  FmmTouched const here(tree, rank);
  FmmFaces<T> faces{.tables = points.faces()};
  std::vector<int> owners;
  for (int b = 0; b < tree.blocks(); ++b) owners.push_back(tree.owner(b));
  auto const of_targets = [&](char const* name, auto const& has) {
    return temporaries<T>(
        solve, name, owners, [&](int b) { return tree.is_target_leaves(b) && has(b); },
        [&](int b) { return points.targets().stride(b) * stages.results.numbers; },
        [&](int b) { return rank == everywhere || tree.owner(b) == rank; });
  };
  for (auto& axis : faces.axes) {
    axis.locals = temporaries<T>(
        solve, "locals of faces", owners, [&](int b) { return tree.has_local(b); },
        [&](int b) { return expansion_size<T>(points.setup().order, stages.rhs, tree.block(b).size()); },
        [&](int b) { return bool(here.local[std::size_t(b)]); });
    axis.near = of_targets("near faces", [](int) { return true; });
    axis.from_boxes = of_targets("faces from boxes", [&](int b) { return !tree.lists(b).m2p.empty(); });
    axis.far = of_targets("far faces", [&](int b) { return tree.has_local(b); });
  }
  return faces;
}

std::vector<int> owners_of_faces(FmmTree const& tree) {
  std::vector<int> owners;
  for (int axis = 0; axis < 3; ++axis)
    for (int b = 0; b < tree.blocks(); ++b)
      if (tree.is_target_leaves(b)) owners.push_back(tree.owner(b));
  owners.push_back(tree.owner(0));
  return owners;
}

template <class T>
void build_faces(Graph& graph, FmmJob<T> const& job, FmmStages const& stages) {
  FmmTree const& tree = job.tree();
  std::size_t next = job.solve.energy.of_chunk.size() - owners_of_faces(tree).size();
  for (int axis = 0; axis < 3; ++axis) {
    FacePass<T> pass(graph, job, stages, axis);
    pass.build();
    for (int b = 0; b < tree.blocks(); ++b)
      if (tree.is_target_leaves(b)) pass.add_forces(job.solve.energy.of_chunk[next++], b);
  }
  auto const& aspect = job.shape().aspect;
  double const edge = 2 * job.shape().half;
  LatticeVirialArgs args{job.setup.order, job.shape().half, edge * edge * edge * aspect[0] * aspect[1] * aspect[2],
                         job.setup.boundary == Boundary::tin_foil};
  std::copy(job.setup.constant_by_strain.begin(), job.setup.constant_by_strain.end(), args.constant);
  graph.insert<LatticeVirial<T>>(args, {0, 6 * stages.rhs * job.setup.flops.lattice, tree.owner(0)},
                                 read(job.setup.lattice_by_strain), read(job.work.multipole(0)), read(job.dipoles),
                                 write(job.solve.energy.of_chunk[next]));
}

#define NEARFAR_INSTANTIATE(T)                                                           \
  template FmmFaces<T> make_faces(SolveState&, FmmPointSet<T> const&, FmmStages const&); \
  template void build_faces(Graph&, FmmJob<T> const&, FmmStages const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
