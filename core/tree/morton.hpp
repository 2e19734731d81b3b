// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/bulk_memory.hpp"
#include "core/math/function.hpp"
#include "core/tree/loop.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace nearfar {

/// Three bits per level, x before y before z, those of the root's children highest:
/// in this order, boxes of any level and the points in them are contiguous.
using MortonKey = std::uint64_t;

inline constexpr int deepest_level = 20;

/// Spreads 21 bits of x over 63: every third bit, from the lowest.
NEARFAR_FUNCTION constexpr MortonKey spread_bits(std::uint32_t x) {
  MortonKey k = x & 0x1fffff;
  k = (k | k << 32) & 0x001f00000000ffff;
  k = (k | k << 16) & 0x001f0000ff0000ff;
  k = (k | k << 8) & 0x100f00f00f00f00f;
  k = (k | k << 4) & 0x10c30c30c30c30c3;
  k = (k | k << 2) & 0x1249249249249249;
  return k;
}

NEARFAR_FUNCTION constexpr MortonKey morton_key(std::int32_t x, std::int32_t y, std::int32_t z) {
  return spread_bits(std::uint32_t(x)) << 2 | spread_bits(std::uint32_t(y)) << 1 | spread_bits(std::uint32_t(z));
}

/// The reverse of spread_bits, for the lowest and every third bit.
NEARFAR_FUNCTION constexpr std::int32_t gathered_bits(MortonKey k) {
  k &= 0x1249249249249249;
  k = (k | k >> 2) & 0x10c30c30c30c30c3;
  k = (k | k >> 4) & 0x100f00f00f00f00f;
  k = (k | k >> 8) & 0x001f0000ff0000ff;
  k = (k | k >> 16) & 0x001f00000000ffff;
  k = (k | k >> 32) & 0x1fffff;
  return std::int32_t(k);
}
/// The place of the box with a key, on its level.
NEARFAR_FUNCTION constexpr void place_of_key(MortonKey key, std::int32_t at[3]) {
  for (int d = 0; d < 3; ++d) at[d] = gathered_bits(key >> (2 - d));
}

/// Keys in order, and the number that each had before sorting; equal keys keep their order.
struct SortedKeys {
  BulkVector<MortonKey> keys;
  BulkVector<std::uint32_t> order;
  int level = 0;  ///< of the keys
};

/// Sorts keys of level `level`. The result does not depend on the loop.
SortedKeys sorted(std::span<MortonKey const> keys, int level, Loop const& loop = in_turn);

/// Whether no two keys are the same.
bool are_distinct(SortedKeys const& sorted, Loop const& loop = in_turn);

/// A key with the number of its point.
struct NumberedKey {
  MortonKey key;
  std::uint32_t number;
};

/// Sorts by key, equal keys by number; for sets that fit into a cache. `spare`
/// has room for as many. Returns the result, which is in either of the two.
std::span<NumberedKey> sort_few(std::span<NumberedKey> items, std::span<NumberedKey> spare);

}  // namespace nearfar
