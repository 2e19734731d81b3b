// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/boxes.hpp"

#include <cstdint>

namespace nearfar {

/// TreeOnHost::select, each row by 32 threads.
template <class Body>
struct SelectTeam {
  static constexpr int threads = 256, memory_size = threads / 32;
  struct State {
    typename Body::Row row;
    std::int32_t found, taken;
  };
  struct Launch {
    std::int64_t rows;
    Body body;
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, Launch const& launch, int block, std::uint32_t* words) {
    Body const& body = launch.body;
    auto const number = [&](int t) { return std::int64_t(block) * (threads / 32) + t / 32; };
    team.step([&](int t, State& state) {
      state.taken = 0;
      state.row = body.row(number(t) < launch.rows ? number(t) : 0);
      if (number(t) >= launch.rows) state.row.last = state.row.first;
    });
    for (int begin = 0; begin < Body::longest; begin += 32)
      team.vote_by_32(
          words,
          [&](int t, State& state) {
            std::int32_t const item = state.row.first + begin + t % 32;
            state.found = item < state.row.last ? body.find(state.row, item) : -1;
            return state.found >= 0;
          },
          [&](int t, State& state, std::uint32_t votes) {
            int const before = bits_of(votes & ((1u << t % 32) - 1));
            if (state.found >= 0)
              body.take(state.row, state.row.first + begin + t % 32, state.found, state.taken + before);
            state.taken += bits_of(votes);
          });
    team.step([&](int t, State& state) {
      if (t % 32 == 0 && number(t) < launch.rows) body.end(state.row, state.taken);
    });
  }
};

}  // namespace nearfar
