// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// Replaces counts by the sums of all before them (exclusive prefix sums), by one team.
struct SumTeam {
  static constexpr int threads = 512, memory_size = threads;
  struct State {
    std::int32_t own, before;
  };
  struct Launch {
    std::int32_t* counts;
    std::int64_t size;
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, Launch const& launch, int, std::int32_t* memory) {
    std::int64_t const each = (launch.size + threads - 1) / threads;
    auto const end = [&](int t) { return (t + 1) * each < launch.size ? (t + 1) * each : launch.size; };
    team.step([&](int t, State& state) {
      state.own = 0;
      for (std::int64_t i = t * each; i < end(t); ++i) state.own += launch.counts[i];
      memory[t] = state.own;
    });
    for (int distance = 1; distance < threads; distance *= 2) {
      team.step([&](int t, State& state) { state.before = t >= distance ? memory[t - distance] : 0; });
      team.step([&](int t, State& state) { memory[t] += state.before; });
    }
    team.step([&](int t, State& state) {
      std::int32_t sum = memory[t] - state.own;
      for (std::int64_t i = t * each; i < end(t); ++i) {
        std::int32_t const count = launch.counts[i];
        launch.counts[i] = sum;
        sum += count;
      }
    });
  }
};

}  // namespace nearfar
