// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// Counts, of which each thread of each team has so many that follow each other.
struct CountsOfTeams {
  static constexpr int threads = 512;
  std::int32_t* counts;
  std::int64_t size, each;
  std::int32_t* sums = nullptr;  ///< of each team; null: there is one

  NEARFAR_FUNCTION std::int64_t of_team() const { return threads * each; }
  NEARFAR_FUNCTION std::int64_t begin(int team, int t) const {
    std::int64_t const i = team * of_team() + t * each;
    return i < size ? i : size;
  }
  NEARFAR_FUNCTION std::int32_t sum(int team, int t) const {
    std::int32_t sum = 0;
    for (std::int64_t i = begin(team, t); i < begin(team, t + 1); ++i) sum += counts[i];
    return sum;
  }
};

/// Writes the sum of each team's counts.
struct AddTeam {
  static constexpr int threads = CountsOfTeams::threads, memory_size = threads;
  struct State {};

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, CountsOfTeams const& launch, int block, std::int32_t* memory) {
    team.step([&](int t, State&) { memory[t] = launch.sum(block, t); });
    for (int half = threads / 2; half > 0; half /= 2)
      team.step([&](int t, State&) {
        if (t < half) memory[t] += memory[t + half];
      });
    team.step([&](int t, State&) {
      if (t == 0) launch.sums[block] = memory[0];
    });
  }
};

/// Replaces counts by the sums of all before them (exclusive prefix sums), given those of the teams before.
struct SumTeam {
  static constexpr int threads = CountsOfTeams::threads, memory_size = threads;
  struct State {
    std::int32_t own, before;
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, CountsOfTeams const& launch, int block, std::int32_t* memory) {
    team.step([&](int t, State& state) { memory[t] = state.own = launch.sum(block, t); });
    for (int distance = 1; distance < threads; distance *= 2) {
      team.step([&](int t, State& state) { state.before = t >= distance ? memory[t - distance] : 0; });
      team.step([&](int t, State& state) { memory[t] += state.before; });
    }
    team.step([&](int t, State& state) {
      std::int32_t sum = memory[t] - state.own;
      if (launch.sums != nullptr) sum += launch.sums[block];
      for (std::int64_t i = launch.begin(block, t); i < launch.begin(block, t + 1); ++i) {
        std::int32_t const count = launch.counts[i];
        launch.counts[i] = sum;
        sum += count;
      }
    });
  }
};

}  // namespace nearfar
