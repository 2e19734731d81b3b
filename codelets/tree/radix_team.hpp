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

  /// How many sort keys of this level, and the deepest level of which as many sort keys.
  static int passes(int level) { return level > 0 ? (3 * level + bits - 1) / bits : 1; }
  static int deepest_level(int level) { return passes(level) * bits / 3; }

  NEARFAR_FUNCTION int digit(std::uint64_t key) const { return int(key >> shift) & (digits - 1); }
};

/// Moves the keys of one tile to their places. Each warp goes through keys that follow each other, 32 at a time: those
/// of equal digits find each other. Keys are put in order within the tile before they are written, by threads that
/// follow each other to places that mostly do.
struct RadixTeam {
  static constexpr int threads = 256, items = 8, tile = threads * items, warps = threads / 32, resident = 4;
  static constexpr int counters = warps * RadixPass::digits;
  static constexpr int memory_size = tile + (tile + counters + RadixPass::digits) / 2;
  struct State {
    std::uint64_t key[items];
    std::uint16_t rank[items];    ///< among the keys of the warp with this digit
    int highest = -1, equal = 0;  ///< the present digit, if no higher thread has it; how many threads have it
    std::int32_t own, before;     ///< keys of one digit, and of those before it
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, RadixPass const& pass, int block, std::uint64_t* keys) {
    auto* const numbers = reinterpret_cast<std::uint32_t*>(keys + tile);
    auto* const counts =
        reinterpret_cast<std::int32_t*>(numbers + tile);  // of each warp and digit: keys of warps before
    std::int32_t* const begin = counts + counters;        // of each digit in the tile
    std::int64_t const first = std::int64_t(block) * tile, left = pass.count - first;
    int const here = int(left < tile ? left : tile);
    auto const counter = [&](int t, int digit) -> std::int32_t& { return counts[t / 32 * RadixPass::digits + digit]; };
    auto const at = [&](int t, int k) { return (t / 32 * items + k) * 32 + t % 32; };
    auto const count_equal = [&](int t, State& state) {
      if (state.highest >= 0) counter(t, state.highest) += state.equal;
      state.highest = -1;
    };
    team.step([&](int t, State& state) {
      state.highest = -1;
      for (int i = t; i < counters; i += threads) counts[i] = 0;
      NEARFAR_DEVICE_UNROLL(8)
      for (int k = 0; k < items; ++k) state.key[k] = at(t, k) < here ? pass.keys[first + at(t, k)] : 0;
    });
    NEARFAR_DEVICE_UNROLL(8)
    for (int k = 0; k < items; ++k)
      team.template match_by_32<RadixPass::bits>(
          numbers,
          [&](int t, State& state) {
            count_equal(t, state);
            return at(t, k) < here ? pass.digit(state.key[k]) : -1;
          },
          [&](int t, State& state, int digit, std::uint32_t equal) {
            if (digit < 0) return;
            int const lane = t % 32;
            state.rank[k] = std::uint16_t(counter(t, digit) + bits_of(equal & ((1u << lane) - 1)));
            state.highest = equal >> lane == 1 ? digit : -1;
            state.equal = bits_of(equal);
          });
    team.step(count_equal);
    team.step([&](int t, State& state) {  // of one digit
      state.own = 0;
      for (int w = 0; w < warps; ++w) {
        std::int32_t& counted = counts[w * RadixPass::digits + t];
        std::int32_t const count = counted;
        counted = state.own;
        state.own += count;
      }
      begin[t] = state.own;
    });
    for (int distance = 1; distance < threads; distance *= 2) {
      team.step([&](int t, State& state) { state.before = t >= distance ? begin[t - distance] : 0; });
      team.step([&](int t, State& state) { begin[t] += state.before; });
    }
    team.step([&](int t, State& state) { begin[t] -= state.own; });
    team.step([&](int t, State& state) {
      NEARFAR_DEVICE_UNROLL(8)
      for (int k = 0; k < items; ++k) {
        if (at(t, k) >= here) continue;
        int const digit = pass.digit(state.key[k]), to = begin[digit] + counter(t, digit) + state.rank[k];
        std::int64_t const i = first + at(t, k);
        keys[to] = state.key[k];
        numbers[to] = pass.numbers == nullptr ? std::uint32_t(i) : pass.numbers[i];
      }
    });
    team.step([&](int t, State&) {
      NEARFAR_DEVICE_UNROLL(8)
      for (int i = t; i < here; i += threads) {
        int const digit = pass.digit(keys[i]);
        std::int64_t const to = pass.places[std::int64_t(digit) * pass.tiles + block] + (i - begin[digit]);
        pass.to_keys[to] = keys[i];
        pass.to_numbers[to] = numbers[i];
      }
    });
  }
};
static_assert(RadixTeam::threads == RadixPass::digits);

}  // namespace nearfar
