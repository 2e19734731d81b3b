// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/points/energy/energy_gpu.hpp"
#include "codelets/points/energy/energy_team.hpp"

namespace nearfar {

template <class T>
void launch_energy(EnergyView<T> const& view, void* stream) {
  using Program = EnergyTeam<T>;
  GpuWorkSpace const space(sizeof(double) * energy_sums * Program::parts, stream, "an energy");
  EnergyLaunch<T> const launch{view, reinterpret_cast<double*>(space.data())};
  gpu_run_teams<Program, double>(Program::parts, stream, launch, "finds energies");
  gpu_run_teams<EnergyGatherTeam<T>, double>(1, stream, launch, "adds the parts of an energy");
}

void launch_energy_sum(EnergySumArgs const& args, std::vector<double const*> const& of_chunks,
                       std::vector<double const*> const& of_images, std::vector<double const*> const& of_modes,
                       StrengthUnit const* unit, double* out, void* stream) {
  GpuWorkSpace const space(sizeof(EnergySums), stream, "energies");
  auto* const all = reinterpret_cast<EnergySums*>(space.data());
  auto const add = [&](std::vector<double const*> const& sums, int numbers, double* to) {
    launch_in_parts<double const*>(
        int(sums.size()), [&](int i) { return sums[std::size_t(i)]; },
        [&](auto const& list) {
          gpu_for_all(numbers, stream, AddEnergies{list, to}, "adds energies");
        });
  };
  add(of_chunks, energy_sums, all->of_points);
  add(of_images, image_sums, all->of_images);
  add(of_modes, far_virial_size, all->of_modes);
  gpu_for_all(1, stream, WriteEnergy{args, all, unit, out}, "writes an energy");
}

template void launch_energy(EnergyView<double> const&, void*);
template void launch_energy(EnergyView<float> const&, void*);

}  // namespace nearfar
