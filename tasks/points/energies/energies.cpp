// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/energies/energies.hpp"

#include "core/ewald/far_virial_operator.hpp"

namespace nearfar::detail {

EnergyJob energy_job(SolveState& solve, bool virial, std::vector<int> const& owners,
                     std::vector<int> const& owners_of_modes, int first) {
  int const rank = solve.ranks() != nullptr ? solve.ranks()->rank() : everywhere;
  auto const sums = [&](char const* name, int size, int owner) {
    return SolveData::temporary<double>(name, size, owner, rank == everywhere || rank == owner || rank == first);
  };
  EnergyJob job{
      {}, {}, SolveData::over("energies", solve.energy_memory(virial), energy_and_virial, Home::host(), first), virial};
  for (int const owner : owners) job.of_chunk.push_back(sums("energy", energy_sums, owner));
  for (int const owner : owners_of_modes) job.of_modes.push_back(sums("energy of modes", far_virial_size, owner));
  return job;
}

void build_energies(Graph& graph, EnergyJob const& job, Axes const& axes, int free, Handle units) {
  std::vector<Handle> const of_chunks(job.of_chunk.begin(), job.of_chunk.end()),
      of_modes(job.of_modes.begin(), job.of_modes.end());
  graph.insert<EnergySum>({{axes[0], axes[1], axes[2]}, job.virial, free},
                          {0, double(energy_sums) * double(of_chunks.size())}, read(of_chunks), read(of_modes),
                          read(units), write(job.all));
  graph.solve().bring_home(job.all);
}

}  // namespace nearfar::detail
