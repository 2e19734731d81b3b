// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace nearfar {

/// Three bits per level, x before y before z, the root's children in the highest: boxes of any level and the points in
/// them are contiguous in this order.
using MortonKey = std::uint64_t;

inline constexpr int deepest_level = 20;

/// Every third bit from the lowest on: 21 bits of x spread over 63.
constexpr MortonKey spread_bits(std::uint32_t x) {
  MortonKey k = x & 0x1fffff;
  k = (k | k << 32) & 0x001f00000000ffff;
  k = (k | k << 16) & 0x001f0000ff0000ff;
  k = (k | k << 8) & 0x100f00f00f00f00f;
  k = (k | k << 4) & 0x10c30c30c30c30c3;
  k = (k | k << 2) & 0x1249249249249249;
  return k;
}

constexpr MortonKey morton_key(std::int32_t x, std::int32_t y, std::int32_t z) {
  return spread_bits(std::uint32_t(x)) << 2 | spread_bits(std::uint32_t(y)) << 1 | spread_bits(std::uint32_t(z));
}

/// Keys in order, and the number that each had before; equal keys keep their order.
struct SortedKeys {
  std::vector<MortonKey> keys;
  std::vector<std::uint32_t> order;
};

/// Of the keys, the lowest `bits` are used.
SortedKeys sorted(std::vector<MortonKey> const& keys, int bits);

/// Keys of an upper level from those of a lower one, `levels` below.
SortedKeys raised(SortedKeys keys, int levels);

}  // namespace nearfar
