// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/energies/energies.hpp"

#include "codelets/near/images/images_body.hpp"
#include "core/ewald/far/far_virial_operator.hpp"

namespace nearfar::detail {

EnergyJob energy_job(SolveState& solve, bool virial, std::vector<int> const& owners,
                     std::vector<int> const& owners_of_modes, int first) {
  int const rank = solve.ranks() != nullptr ? solve.ranks()->rank() : everywhere;
  auto const sums = [&](char const* name, int size, int owner) {
    return solve.temporary<double>(name, size, owner, rank == everywhere || rank == owner || rank == first);
  };
  EnergyJob job;
  double* const energies = solve.energy_memory(virial);
  job.all = solve.keeps_temporaries() ? solve.temporary<double>("energies", energy_and_virial, first)
                                      : SolveData::over("energies", energies, energy_and_virial, Home::host(), first);
  job.virial = virial;
  for (int const owner : owners) job.of_chunk.push_back(sums("energy", energy_sums, owner));
  if (!owners_of_modes.empty())
    for (int const owner : owners) job.of_images.push_back(sums("images", image_sums, owner));
  for (int const owner : owners_of_modes) job.of_modes.push_back(sums("energy of modes", far_virial_size, owner));
  return job;
}

void bring_energies_home(SolveState& solve, EnergyJob const& job) {
  if (!job.any()) return;
  if (solve.keeps_temporaries()) solve.copy_energies_home(job.all);
  else solve.bring_home(job.all);
}

void build_energies(Graph& graph, EnergyJob const& job, EnergyStrengths const& at, Axes const& axes, int free,
                    Handle units) {
  std::vector<Handle> const of_chunks(job.of_chunk.begin(), job.of_chunk.end()),
      of_images(job.of_images.begin(), job.of_images.end()), of_modes(job.of_modes.begin(), job.of_modes.end());
  graph.insert<EnergySum>({{axes[0], axes[1], axes[2]}, at.charge < 0, job.virial, free},
                          {0, double(energy_sums) * double(of_chunks.size())}, read(of_chunks), read(of_images),
                          read(of_modes), read(units), write(job.all));
}

}  // namespace nearfar::detail
