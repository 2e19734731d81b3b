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

/// One row of TreeOnHost::reduced, always in the same order.
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
    for (int half = threads / 2; half > 0; half /= 2)
      team.step([&](int t, NoState&) {
        if (t < half) memory[t] = Operation()(memory[t], memory[t + half]);
      });
    team.step([&](int t, NoState&) {
      if (t == 0) launch.out[row] = memory[0];
    });
  }
};

struct CountDigit {
  RadixPass pass;

  __device__ void operator()(std::int64_t i) const {
    atomicAdd(pass.places + std::int64_t(pass.digit(pass.keys[i])) * pass.tiles + i / RadixTeam::tile, 1);
  }
};

/// As TreeOnHost, on a stream of a GPU. For .cu files.
class TreeOnGpu {
 public:
  static constexpr std::int64_t threads = 1 << 16;
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
      gpu_expect(gpu_fill(places, 0, std::size_t(counts) * sizeof(std::int32_t), static_cast<GpuStream>(stream_)),
                 "counts of keys were not set to 0");
      for_all(count, CountDigit{pass}, "counts keys");
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
