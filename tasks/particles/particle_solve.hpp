// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/data.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/particles/given_strengths.hpp"
#include "tasks/particles/merging.hpp"
#include "tasks/particles/pinned.hpp"
#include "tasks/particles/solve_strengths.hpp"
#include "tasks/particles/staged_rows.hpp"
#include "tasks/particles/strength_units.hpp"
#include "tasks/points/energies/energies.hpp"
#include "tasks/points/planned_points.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// The arrays of a solve; all outlive it.
template <class T>
struct SolveArrays {
  GivenStrengths<T>& given;             ///< its `pieces` become the solve's
  GivenArrays<T> result;                ///< the caller's, of the targets that this rank gave
  StagingMemory<T>* staging = nullptr;  ///< none: the caller's arrays are used directly
};

/// The data that solves of all methods have: strengths on their way from the caller's rows, their units, and results on
/// their way back. A method has those of its own stages beside it.
template <class T>
struct ParticleSolve {
  int vectors;  ///< of strengths
  SolveStrengths<T> strengths;
  StrengthUnits units;
  MergedResults<T> results;  ///< by range of targets
  EnergyJob energy;

  /// What Bin reads for an owner: rows, and the units.
  std::vector<Handle> strengths_and_units(int owner) const {
    auto handles = strengths.handles(owner);
    handles.push_back(units.units);
    return handles;
  }
};

/// `owners`: of the ranges of targets, by number, for each of which the caller gets such rows.
template <class T>
ParticleSolve<T> make_particle_solve(SolveState& solve, PlannedPoints<T> const& points, UnitShape const& unit,
                                     int vectors, MergedRow const& row, std::vector<int> owners,
                                     SolveArrays<T> const& arrays, EnergyJob energy) {
  auto const& [given, result, staging] = arrays;
  bool const on_gpus = points.all_on_gpus();
  bool const stages = staging != nullptr && on_gpus && StagedRows<T>::pay(given.rows.size() + result.size());
  auto const way = [stages, by = staging](Arena<T> StagingMemory<T>::*memory, auto const& callers) {
    return stages && !are_pinned(callers) ? &(by->*memory) : nullptr;
  };
  SolveStrengths<T> strengths(points, given, way(&StagingMemory<T>::strengths, given.rows));
  StrengthUnits units(solve, unit, vectors, strengths.ranges(on_gpus), given.largest);
  return {vectors, std::move(strengths), std::move(units),
          MergedResults<T>(solve, points, std::move(owners), row, result, way(&StagingMemory<T>::results, result)),
          std::move(energy)};
}

/// largest, or copy_strengths -> units, and what deals strengths out
template <class T>
void build_opening(Graph& graph, ParticleSolve<T> const& solve, LengthUnit const& length) {
  solve.strengths.build_largest(graph, solve.units);
  build_units(graph, solve.units, length);
  solve.strengths.build_dealing(graph, solve.vectors);
}

/// Temporary data of type A of each block or range that has(it), of numbers(it), with these owners; null handles of the
/// others. `here`: which of them tasks of this rank touch.
template <class A, class Has, class Numbers, class Here>
std::vector<SolveData> temporaries(SolveState& solve, char const* name, std::vector<int> const& owners, Has const& has,
                                   Numbers const& numbers, Here const& here) {
  std::vector<SolveData> data(owners.size());
  for (std::size_t i = 0; i < owners.size(); ++i)
    if (has(int(i))) data[i] = solve.temporary<A>(name, numbers(int(i)), owners[i], here(int(i)));
  return data;
}

}  // namespace nearfar::detail
