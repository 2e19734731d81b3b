// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/points/sum_team.hpp"

#include <cstdint>

namespace nearfar {

/// Replaces counts by the sums of all before them, on a stream. For .cu files.
inline void gpu_prefix_sums(std::int32_t* counts, std::int64_t size, void* stream) {
  constexpr std::int64_t of_one_team = 1 << 13, of_thread = 4;
  constexpr char adds[] = "adds up counts";
  if (size <= of_one_team) {
    std::int64_t const each = (size + SumTeam::threads - 1) / SumTeam::threads;
    return gpu_run_teams<SumTeam, std::int32_t>(1, stream, CountsOfTeams{counts, size, each}, adds);
  }
  CountsOfTeams launch{counts, size, of_thread};
  std::int64_t const teams = (size + launch.of_team() - 1) / launch.of_team();
  GpuWorkSpace const space(std::size_t(teams) * sizeof(std::int32_t), stream, "counts");
  launch.sums = reinterpret_cast<std::int32_t*>(space.data());
  gpu_run_teams<AddTeam, std::int32_t>(int(teams), stream, launch, adds);
  gpu_prefix_sums(launch.sums, teams, stream);
  gpu_run_teams<SumTeam, std::int32_t>(int(teams), stream, launch, adds);
}

}  // namespace nearfar
