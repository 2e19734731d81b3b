// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/points/prefix_sums.hpp"
#include "codelets/tree/on_host.hpp"
#include "codelets/tree/radix_team.hpp"
#include "codelets/tree/select_team.hpp"

#include <memory>

namespace nearfar {

/// Combines a number of each thread, always in the same order, to the first.
template <class Operation, int threads, class Team, class Number>
NEARFAR_FUNCTION void combine_threads(Team& team, Number* memory) {
  for (int half = threads / 2; half > 0; half /= 2)
    team.step([&](int t, auto&) {
      if (t < half) memory[t] = Operation()(memory[t], memory[t + half]);
    });
}

/// One row of TreeOnHost::reduced.
template <class Operation, class Number>
struct ReduceTeam {
  static constexpr int threads = 1024, memory_size = threads;
  using State = NoState;
  struct Launch {
    Number const* parts;
    std::int64_t columns;
    Number* out;
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, Launch const& launch, int row, Number* memory) {
    team.step([&](int t, NoState&) {
      Number found = Operation::start;
      for (std::int64_t c = t; c < launch.columns; c += threads)
        found = Operation()(found, launch.parts[row * launch.columns + c]);
      memory[t] = found;
    });
    combine_threads<Operation, threads>(team, memory);
    team.step([&](int t, NoState&) {
      if (t == 0) launch.out[row] = memory[0];
    });
  }
};

/// TreeOnHost::reduce, of each team for itself: parts [number][team].
template <class Operation, int most, class Body, class Number>
struct ReduceItemsTeam {
  static constexpr int threads = 256, memory_size = threads;
  struct State {
    Number values[most];
  };
  struct Launch {
    std::int64_t count;
    int teams, numbers;
    Body body;
    Number* parts;
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, Launch const& launch, int block, Number* memory) {
    team.step([&](int t, State& state) {
      for (int k = 0; k < launch.numbers; ++k) state.values[k] = Operation::start;
      for (std::int64_t i = std::int64_t(block) * threads + t; i < launch.count;
           i += std::int64_t(launch.teams) * threads)
        launch.body(i, state.values);
    });
    for (int k = 0; k < launch.numbers; ++k) {
      team.step([&](int t, State& state) { memory[t] = state.values[k]; });
      combine_threads<Operation, threads>(team, memory);
      team.step([&](int t, State&) {
        if (t == 0) launch.parts[std::int64_t(k) * launch.teams + block] = memory[0];
      });
    }
  }
};

/// Counts the digits of a tile's keys.
struct CountDigitsTeam {
  static constexpr int threads = RadixTeam::threads, memory_size = RadixPass::digits;
  using State = NoState;

  template <class Team>
  __device__ static void run(Team& team, RadixPass const& pass, int block, std::int32_t* memory) {
    team.step([&](int t, NoState&) { memory[t] = 0; });
    team.step([&](int t, NoState&) {
      std::int64_t const first = std::int64_t(block) * RadixTeam::tile + t;
      NEARFAR_DEVICE_UNROLL(8)
      for (int k = 0; k < RadixTeam::items; ++k)
        if (std::int64_t const i = first + k * threads; i < pass.count) atomicAdd(memory + pass.digit(pass.keys[i]), 1);
    });
    team.step([&](int t, NoState&) { pass.places[std::int64_t(t) * pass.tiles + block] = memory[t]; });
  }
};

/// As TreeOnHost, on a stream of a GPU. For .cu files.
class TreeOnGpu {
 public:
  static constexpr std::int64_t threads = 1 << 13;
  explicit TreeOnGpu(void* stream) : stream_(stream) {}

  template <class Item>
  Item* room(std::int64_t count) {
    auto const bytes = std::size_t(count < 1 ? 1 : count) * sizeof(Item);
    return reinterpret_cast<Item*>(
        memory_.emplace_back(std::make_unique<GpuWorkSpace>(bytes, stream_, "trees"))->data());
  }
  template <class Body>
  void for_all(std::int64_t count, Body const& body, char const* what) {
    gpu_for_all(count, stream_, body, what);
  }
  template <class Body>
  void select(std::int64_t rows, Body const& body, char const* what) {
    using Team = SelectTeam<Body>;
    constexpr std::int64_t of_team = Team::threads / 32;
    gpu_run_teams<Team, std::uint32_t>(int((rows + of_team - 1) / of_team), stream_, typename Team::Launch{rows, body},
                                       what);
  }
  void begin_all(std::int32_t* counts, std::int64_t size) { gpu_prefix_sums(counts, size, stream_); }
  template <class Operation, int most, class Body, class Number>
  void reduce(std::int64_t count, Body const& body, int numbers, Number* out, char const* what) {
    using Team = ReduceItemsTeam<Operation, most, Body, Number>;
    constexpr std::int64_t most_teams = 512;
    std::int64_t const wanted = (count + Team::threads - 1) / Team::threads;
    int const teams = int(wanted < 1 ? 1 : wanted < most_teams ? wanted : most_teams);
    Number* const parts = teams > 1 ? room<Number>(std::int64_t(numbers) * teams) : out;
    gpu_run_teams<Team, Number>(teams, stream_, typename Team::Launch{count, teams, numbers, body, parts}, what);
    if (teams > 1) reduced<Operation>(parts, numbers, teams, out);
  }
  template <class Operation, class Number>
  void reduced(Number const* parts, int rows, std::int64_t columns, Number* out) {
    using Team = ReduceTeam<Operation, Number>;
    gpu_run_teams<Team, Number>(rows, stream_, typename Team::Launch{parts, columns, out}, "adds up parts");
  }
  void sort(MortonKey* keys, std::int64_t count, int level, MortonKey* sorted_keys, std::uint32_t* order) {
    int const tiles = int((count + RadixTeam::tile - 1) / RadixTeam::tile), passes = RadixPass::passes(level);
    std::int64_t const counts = std::int64_t(RadixPass::digits) * tiles;
    auto* const places = room<std::int32_t>(counts);
    auto* const other = room<std::uint32_t>(count);
    auto* const other_keys = room<MortonKey>(count);
    // The last pass writes the result; the first reads the keys, which later ones may overwrite.
    RadixPass pass{keys, nullptr, nullptr, nullptr, places, count, tiles, 0};
    for (int p = 0; p < passes; ++p) {
      bool const to_result = (passes - 1 - p) % 2 == 0;
      pass.to_keys = to_result ? sorted_keys : other_keys;
      pass.to_numbers = to_result ? order : other;
      pass.shift = p * RadixPass::bits;
      gpu_run_teams<CountDigitsTeam, std::int32_t>(tiles, stream_, pass, "counts keys");
      begin_all(places, counts);
      gpu_run_teams<RadixTeam, std::uint64_t>(tiles, stream_, pass, "sorts keys");
      pass.keys = pass.to_keys;
      pass.numbers = pass.to_numbers;
    }
  }

 private:
  void* stream_;
  std::vector<std::unique_ptr<GpuWorkSpace>> memory_;
};

}  // namespace nearfar
