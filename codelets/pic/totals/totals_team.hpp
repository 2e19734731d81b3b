// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/pic/gpu/pointers.hpp"
#include "codelets/pic/totals/totals.hpp"

namespace nearfar {

/// Adds what a particle has to the sums of its block.
template <class T>
NEARFAR_FUNCTION void measure_particle(PicGrid const& grid, Motion const& motion, T const* phase, std::int64_t count,
                                       double q, std::int64_t i, FieldPlane<T> const& low, FieldPlane<T> const& high,
                                       double* sums) {
  T const x[3] = {phase[i], phase[count + i], phase[2 * count + i]};
  auto const a = grid.cloud(x, 0), y = grid.cloud(x, 1), z = grid.cloud(x, 2);
  T const below = low.at(0, y, z), above = high.at(0, y, z);
  double const mass = q / motion.charge_per_mass, place[3] = {double(x[0]), double(x[1]), double(x[2])};
  double squared = 0;
  for (int d = 0; d < 3; ++d) {
    double const v = phase[(3 + d) * count + i];
    squared += v * v;
    sums[int(PicSum::momentum) + d] += mass * v;
  }
  sums[int(PicSum::kinetic)] += mass * squared / 2;
  sums[int(PicSum::field)] += q / 2 * (double(below) + double(a.weight) * (double(above) - double(below)));
  sums[int(PicSum::external)] += q * external_potential(motion, place);
}

inline constexpr int sum_teams = 256, sum_threads = 256;

/// Sums over the particles of a block, or the numbers of a slab, by teams: thread by thread, then in pairs, so that
/// the result is reproducible and rounding stays small. The sums of the teams, [team][number], are added by add_teams.
template <class T>
struct MeasureTeam {
  static constexpr int threads = sum_threads, memory_size = threads;
  struct State {
    double sums[pic_sums];
  };
  struct Launch {
    PicGrid grid;
    Motion motion;
    T const *phase, *charge;
    std::int64_t count;
    GpuPointers<T> potential;
    double* partial;
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, Launch const& launch, int number, double* memory) {
    PicGrid const& grid = launch.grid;
    team.step([&](int t, State& state) {
      for (double& sum : state.sums) sum = 0;
      for (std::int64_t i = std::int64_t(number) * threads + t; i < launch.count; i += sum_teams * threads) {
        int const axis = grid.axes[0];
        auto const x = cloud_at(grid.cells, axis, launch.phase[axis * launch.count + i]);
        measure_particle(grid, launch.motion, launch.phase, launch.count, double(launch.charge[i]), i,
                         launch.potential.plane(grid.layout, x.low), launch.potential.plane(grid.layout, x.high),
                         state.sums);
      }
    });
    for (int m = 0; m < pic_sums; ++m) {
      team.step([&](int t, State& state) { memory[t] = state.sums[m]; });
      add_up_threads<threads>(team, memory);
      team.step([&](int t, State&) {
        if (t == 0) launch.partial[number * pic_sums + m] = memory[0];
      });
    }
  }
};

template <class T>
struct ChargeTeam {
  static constexpr int threads = sum_threads, memory_size = threads;
  using State = typename MeasureTeam<T>::State;
  struct Launch {
    T const* density;
    std::int64_t count;
    double* partial;
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, Launch const& launch, int number, double* memory) {
    team.step([&](int t, State&) {
      double sum = 0;
      for (std::int64_t i = std::int64_t(number) * threads + t; i < launch.count; i += sum_teams * threads)
        sum += double(launch.density[i]);
      memory[t] = sum;
    });
    add_up_threads<threads>(team, memory);
    team.step([&](int t, State&) {
      if (t == 0) launch.partial[number] = memory[0];
    });
  }
};

/// Number m summed over all teams, of which each has found `numbers`.
NEARFAR_FUNCTION double add_teams(double const* partial, int teams, int numbers, int m) {
  double sum = 0;
  for (int i = 0; i < teams; ++i) sum += partial[i * numbers + m];
  return sum;
}

/// Writes a PicTotals as its numbers: time, charge, kinetic, field, external, momentum.
NEARFAR_FUNCTION void write_totals(TallyArgs const& args, GpuPointers<double> const& sums, double charge,
                                   double* totals) {
  totals[0] = args.time;
  totals[1] = charge * args.cell_volume;
  for (int m = 0; m < pic_sums; ++m) totals[2 + m] = 0;
  for (int block = 0; block < sums.count; ++block)
    for (int m = 0; m < pic_sums; ++m) totals[2 + m] += sums.at[block][m];
}

}  // namespace nearfar
