// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/job.hpp"

#include "codelets/common/codelet.hpp"
#include "codelets/fmm/cell/cell.hpp"
#include "codelets/points/merge/merge.hpp"
#include "tasks/engine/gpu_workers.hpp"

namespace nearfar::detail {

template <class T>
FmmJob<T> make_fmm_job(SolveState& solve, FmmPointSet<T> const& points, int vectors, FmmStages const& stages,
                       GivenStrengths<T> const& given, std::span<T> result, TravellingMemory<T>* travelling,
                       TravellingRows<T> sent, EnergyJob energy) {
  int const rhs = vectors * stages.rhs, results = vectors * stages.results.numbers;
  FmmTree const& tree = *points.tree();
  BlockedPoints<T> const &sources = points.sources(), &targets = points.targets();
  std::span<T const> const strengths = given.rows;
  std::int64_t const of_source = given.row;
  bool const periodic = tree.tree().shape.periodic;
  bool const field = periodic && points.setup().boundary == Boundary::tin_foil;
  int const rank = solve.ranks() != nullptr ? solve.ranks()->rank() : everywhere;
  FmmTouched const here(tree, rank);
  auto const of_targets = [&](char const* name, auto const& has) {
    std::vector<SolveData> data(std::size_t(tree.blocks()));
    for (int b = 0; b < tree.blocks(); ++b)
      if (tree.is_target_leaves(b) && has(b))
        data[std::size_t(b)] = SolveData::temporary<T>(name, targets.stride(b) * results, tree.owner(b),
                                                       rank == everywhere || tree.owner(b) == rank);
    return data;
  };
  auto const of_sources = [&]<class Number>(Number, char const* name, bool has, auto const& size, int reader) {
    std::vector<SolveData> data(std::size_t(tree.blocks()));
    for (int b = 0; b < tree.blocks(); ++b)
      if (tree.is_source_leaves(b) && has)
        data[std::size_t(b)] = SolveData::temporary<Number>(name, size(b), tree.owner(b),
                                                            here.strengths[std::size_t(b)] || rank == reader);
    return data;
  };
  bool const on_gpus = points.parameters().on_gpus;
  Home const of_strengths{memory_node_of(strengths.data())};
  bool const travel = travelling != nullptr && on_gpus && TravellingRows<T>::pay(strengths.size() + result.size());
  bool const sends = travel && given.are_callers() && of_strengths.node == STARPU_MAIN_RAM;
  if (sends) sent = TravellingRows<T>("sent strengths", sources.size(), int(of_source), travelling->strengths);
  int const ranges = on_gpus ? std::max(1, sent.count()) : 0;
  bool const has_faces = energy.any() && energy.virial && points.faces() != nullptr;
  std::vector<int> owners(std::size_t(tree.blocks()));
  for (int b = 0; b < tree.blocks(); ++b) owners[std::size_t(b)] = tree.owner(b);
  return FmmJob<T>{
      .setup = points.setup(),
      .points = points,
      .work = points.workspaces()->workspace_for(solve, tree, points.setup().order, rhs),
      .vectors = vectors,
      .on_gpus = on_gpus,
      .strengths = SolveData::constant("strengths", strengths.data(), std::int64_t(strengths.size()), of_strengths),
      .results = MergedResults<T>(solve, points, std::move(owners), 1, stages.columns.callers(results), result, on_gpus,
                                  travel ? &travelling->results : nullptr),
      .strength_block = of_sources(
          T(), "strengths of block", true, [&](int b) { return sources.stride(b) * of_source; }, everywhere),
      .near = of_targets("near", [](int) { return true; }),
      .from_boxes = of_targets("from boxes", [&](int b) { return !tree.lists(b).m2p.empty(); }),
      .far = of_targets("far", [&](int b) { return tree.has_local(b); }),
      .cell = of_targets("cell", [&](int) { return field; }),
      .dipole = of_sources(
          double(), "dipole", periodic, [&](int) { return cell_moments * vectors; }, tree.first_owner()),
      .dipoles =
          periodic ? SolveData::temporary<double>("dipoles", cell_moments * vectors, tree.first_owner()) : SolveData(),
      .energy = std::move(energy),
      .faces = has_faces ? make_faces(solve, points, stages) : FmmFaces<T>(),
      .sent = std::move(sent),
      .units = StrengthUnits(sources.size(), stages.unit, vectors, ranges, given.largest)};
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

#define NEARFAR_INSTANTIATE(T)                                                                                         \
  template FmmJob<T> make_fmm_job(SolveState&, FmmPointSet<T> const&, int, FmmStages const&, GivenStrengths<T> const&, \
                                  std::span<T>, TravellingMemory<T>*, TravellingRows<T>, EnergyJob);                   \
  template EnergyJob fmm_energy_job(SolveState&, FmmPointSet<T> const&, bool);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
