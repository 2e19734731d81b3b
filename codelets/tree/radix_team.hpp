// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/boxes.hpp"

#include <cstdint>

namespace nearfar {

/// One pass of a radix sort: keys by eight of their bits, those that agree in these in their present order.
struct RadixPass {
  static constexpr int bits = 8, digits = 1 << bits;
  std::uint64_t const* keys;
  std::uint32_t const* numbers;  ///< of the keys; null: they are in order
  std::uint64_t* to_keys;
  std::uint32_t* to_numbers;
  std::int32_t* places;  ///< [digit][tile]: counts, then where the first one goes
  std::int64_t count;
  int tiles, shift;

  NEARFAR_FUNCTION int digit(std::int64_t i) const { return int(keys[i] >> shift) & (digits - 1); }
};

/// Moves the keys of one tile to their places. Each warp goes through keys that follow each other, 32 at a time: those
/// of equal digits find each other by votes.
struct RadixTeam {
  static constexpr int threads = 256, items = 16, tile = threads * items, warps = threads / 32,
                       counters = warps * RadixPass::digits, memory_size = counters + (RadixPass::bits + 1) * warps;
  struct State {
    std::uint16_t rank[items];    ///< among the keys of the warp with this digit
    int digit = -1;               ///< of the present key
    int highest = -1, equal = 0;  ///< the digit, if no higher thread has it; how many threads have it
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, RadixPass const& pass, int block, std::int32_t* memory) {
    auto* const words = reinterpret_cast<std::uint32_t*>(memory + counters);
    auto const counter = [&](int t, int digit) -> std::int32_t& { return memory[t / 32 * RadixPass::digits + digit]; };
    auto const first = [&](int t, int k) {
      return std::int64_t(block) * tile + std::int64_t(t / 32 * 32) * items + k * 32;
    };
    auto const digit_at = [&](int t, int k) {
      std::int64_t const i = first(t, k) + t % 32;
      return i < pass.count ? pass.digit(i) : -1;
    };
    auto const count_equal = [&](int t, State& state) {
      if (state.highest >= 0) counter(t, state.highest) += state.equal;
      state.highest = -1;
    };
    team.step([&](int t, State& state) {
      state.highest = -1;
      for (int i = t; i < counters; i += threads) memory[i] = 0;
    });
    NEARFAR_DEVICE_UNROLL(16)
    for (int k = 0; k < items; ++k) {
      NEARFAR_DEVICE_UNROLL(8)
      for (int bit = 0; bit < RadixPass::bits; ++bit)
        team.vote_by_32(words + bit * warps, [&](int t, State& state) {
          if (bit == 0) {
            count_equal(t, state);
            state.digit = digit_at(t, k);
          }
          return (state.digit >> bit & 1) != 0;
        });
      // No vote, but the warp waits.
      team.vote_by_32(words + RadixPass::bits * warps, [&](int t, State& state) {
        int const digit = state.digit, lane = t % 32;
        if (digit < 0) return false;
        std::int64_t const left = pass.count - first(t, k);
        std::uint32_t same = left >= 32 ? ~0u : (1u << left) - 1;
        for (int bit = 0; bit < RadixPass::bits; ++bit) {
          std::uint32_t const word = words[bit * warps + t / 32];
          same &= (digit >> bit & 1) != 0 ? word : ~word;
        }
        state.rank[k] = std::uint16_t(counter(t, digit) + bits_of(same & ((1u << lane) - 1)));
        state.highest = same >> lane == 1 ? digit : -1;
        state.equal = bits_of(same);
        return false;
      });
    }
    team.step(count_equal);
    team.step([&](int t, State&) {  // of one digit
      std::int32_t next = pass.places[std::int64_t(t) * pass.tiles + block];
      for (int w = 0; w < warps; ++w) {
        std::int32_t& here = memory[w * RadixPass::digits + t];
        std::int32_t const count = here;
        here = next;
        next += count;
      }
    });
    team.step([&](int t, State& state) {
      NEARFAR_DEVICE_UNROLL(16)
      for (int k = 0; k < items; ++k) {
        std::int64_t const i = first(t, k) + t % 32;
        if (i >= pass.count) continue;
        std::int64_t const to = counter(t, pass.digit(i)) + std::int64_t(state.rank[k]);
        pass.to_keys[to] = pass.keys[i];
        pass.to_numbers[to] = pass.numbers == nullptr ? std::uint32_t(i) : pass.numbers[i];
      }
    });
  }
};
static_assert(RadixTeam::threads == RadixPass::digits);

}  // namespace nearfar
