// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/points/energy/energy_body.hpp"

namespace nearfar {

/// Pointers of an Energy task, and the sums of the parts.
template <class T>
struct EnergyLaunch {
  EnergyView<T> view;
  double* part = nullptr;
};

/// Writes the sums over the threads of a block.
template <int threads, class Team>
NEARFAR_FUNCTION void write_energy(Team& team, double* memory, double* out) {
  add_up_threads<threads, energy_sums>(team, memory);
  team.step([&](int t, NoState&) {
    if (t < energy_sums) out[t] = memory[t * threads];
  });
}

/// What the threads of a GPU block do for one part of a chunk's points.
template <class T>
struct EnergyTeam {
  static constexpr int threads = 128, parts = 128, memory_size = energy_sums * threads;
  using State = NoState;

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, EnergyLaunch<T> const& launch, int part, double* memory) {
    team.step([&](int t, NoState&) {
      double sum[energy_sums] = {};
      for (int i = part * threads + t; i < launch.view.args.chunk.count(); i += threads * parts)
        launch.view.add(i, sum);
      for (int m = 0; m < energy_sums; ++m) memory[m * threads + t] = sum[m];
    });
    write_energy<threads>(team, memory, launch.part + part * energy_sums);
  }
};

/// The next step: adds the parts.
template <class T>
struct EnergyGatherTeam {
  static constexpr int threads = EnergyTeam<T>::parts, memory_size = energy_sums * threads;
  using State = NoState;

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, EnergyLaunch<T> const& launch, int, double* memory) {
    team.step([&](int t, NoState&) {
      for (int m = 0; m < energy_sums; ++m) memory[m * threads + t] = launch.part[t * energy_sums + m];
    });
    write_energy<threads>(team, memory, launch.view.out);
  }
};

/// Adds number m of some buffers to the sum of those before.
struct AddEnergies {
  LaunchList<double const*> sums;
  double* out = nullptr;

  NEARFAR_FUNCTION void operator()(std::int64_t m) const {
    double sum = sums.first > 0 ? out[m] : 0;
    for (int i = 0; i < sums.count; ++i) sum += sums.item[i][m];
    out[m] = sum;
  }
};

/// The last step: what the sums make.
struct WriteEnergy {
  EnergySumArgs args;
  EnergySums const* sums = nullptr;
  StrengthUnit const* unit = nullptr;
  double* out = nullptr;

  NEARFAR_FUNCTION void operator()(std::int64_t) const { sums->write(args, *unit, out); }
};

}  // namespace nearfar
