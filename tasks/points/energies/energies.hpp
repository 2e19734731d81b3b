// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/energy/energy.hpp"
#include "core/geometry/axes.hpp"
#include "tasks/engine/graph.hpp"

#include <vector>

namespace nearfar::detail {

/// What the energy of a solve is made of; nothing if it has none.
struct EnergyJob {
  std::vector<SolveData> of_chunk;  ///< sums over points, for each range of targets; null handles where there are none
  std::vector<SolveData>
      of_images;  ///< sums over pairs across periodic faces, for each range: for a virial with periods
  std::vector<SolveData> of_modes;  ///< sums over the modes of groups of columns, for the virial along periods
  SolveData all;                    ///< energy and virial, in memory of the solve
  bool virial = false;

  bool any() const noexcept { return !of_chunk.empty(); }
};

/// The sums of ranges of targets with these owners, and of groups of columns with those, all of which `first` adds: the
/// rank that then has the result.
EnergyJob energy_job(SolveState& solve, bool virial, std::vector<int> const& owners,
                     std::vector<int> const& owners_of_modes, int first);

/// After the last task: the report of the solve has its energy.
void bring_energies_home(SolveState& solve, EnergyJob const& job);

/// energies: adds the sums, for bring_energies_home. `free`: how many of our axes do not repeat; `units`: of
/// strengths and results.
void build_energies(Graph& graph, EnergyJob const& job, EnergyStrengths const& at, Axes const& axes, int free,
                    Handle units);

}  // namespace nearfar::detail
