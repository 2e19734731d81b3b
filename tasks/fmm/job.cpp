// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/job.hpp"

#include "codelets/common/codelet.hpp"
#include "codelets/fmm/cell/cell.hpp"
#include "codelets/points/merge/merge.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"

namespace nearfar::detail {

template <class T>
FmmJob<T> make_fmm_job(SolveState& solve, FmmPointSet<T> const& points, int vectors, FmmStages const& stages,
                       SolveArrays<T> const& arrays, EnergyJob energy) {
  int const rhs = vectors * stages.rhs, results = vectors * stages.results.numbers;
  FmmTree const& tree = *points.tree();
  std::vector<int> const owners = points.owners();
  bool const periodic = tree.tree().shape.periodic;
  bool const field = periodic && points.setup().boundary == Boundary::tin_foil;
  int const rank = solve.ranks() != nullptr ? solve.ranks()->rank() : everywhere;
  FmmTouched const here(tree, rank);
  auto const of_targets = [&](char const* name, auto const& has) {
    return temporaries<T>(
        solve, name, owners, [&](int b) { return tree.is_target_leaves(b) && has(b); },
        [&](int b) { return points.targets().stride(b) * results; },
        [&](int b) { return rank == everywhere || tree.owner(b) == rank; });
  };
  auto const of_sources = [&]<class Number>(Number, char const* name, bool has, auto const& size, int reader) {
    return temporaries<Number>(
        solve, name, owners, [&](int b) { return tree.is_source_leaves(b) && has; }, size,
        [&](int b) { return here.strengths[std::size_t(b)] || rank == reader; });
  };
  bool const has_faces = energy.any() && energy.virial && points.faces() != nullptr;
  return FmmJob<T>{.setup = points.setup(),
                   .points = points,
                   .work = points.workspaces()->workspace_for(solve, tree, points.setup().order, rhs),
                   .solve = make_particle_solve(solve, points, stages.unit, vectors, {stages.columns.callers(results)},
                                                owners, arrays, std::move(energy)),
                   .faces = has_faces ? make_faces(solve, points, stages) : FmmFaces<T>(),
                   .strength_block = of_sources(
                       T(), "strengths of block", true,
                       [&](int b) { return points.sources().stride(b) * arrays.given.row; }, everywhere),
                   .near = of_targets("near", [](int) { return true; }),
                   .from_boxes = of_targets("from boxes", [&](int b) { return !tree.lists(b).m2p.empty(); }),
                   .far = of_targets("far", [&](int b) { return tree.has_local(b); }),
                   .cell = of_targets("cell", [&](int) { return field; }),
                   .dipole = of_sources(
                       double(), "dipole", periodic, [&](int) { return cell_moments * vectors; }, tree.first_owner()),
                   .dipoles = periodic ? solve.temporary<double>("dipoles", cell_moments * vectors, tree.first_owner())
                                       : SolveData()};
}

template <class T>
EnergyJob fmm_energy_job(SolveState& solve, FmmPointSet<T> const& points, bool virial) {
  FmmTree const& tree = *points.tree();
  std::vector<int> owners;
  for (int b = 0; b < tree.blocks(); ++b)
    if (tree.is_target_leaves(b)) owners.push_back(tree.owner(b));
  if (virial && points.faces() != nullptr)
    for (int const owner : owners_of_faces(tree)) owners.push_back(owner);
  return energy_job(solve, virial, owners, {}, tree.first_owner());
}

#define NEARFAR_INSTANTIATE(T)                                                                                      \
  template FmmJob<T> make_fmm_job(SolveState&, FmmPointSet<T> const&, int, FmmStages const&, SolveArrays<T> const&, \
                                  EnergyJob);                                                                       \
  template EnergyJob fmm_energy_job(SolveState&, FmmPointSet<T> const&, bool);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
