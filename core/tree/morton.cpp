// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/morton.hpp"

#include <cstddef>
#include <numeric>

namespace nearfar {

SortedKeys sorted(std::vector<MortonKey> const& keys, int bits) {
  constexpr int digit_bits = 11;
  constexpr MortonKey mask = (MortonKey(1) << digit_bits) - 1;
  struct Item {
    MortonKey key;
    std::uint32_t number;
  };
  std::vector<Item> items(keys.size()), next(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) items[i] = {keys[i], std::uint32_t(i)};
  for (int shift = 0; shift < bits; shift += digit_bits) {
    std::vector<std::size_t> place(mask + 2, 0);
    for (Item const& item : items) ++place[std::size_t(item.key >> shift & mask) + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    for (Item const& item : items) next[place[std::size_t(item.key >> shift & mask)]++] = item;
    items.swap(next);
  }
  SortedKeys result{std::vector<MortonKey>(keys.size()), std::vector<std::uint32_t>(keys.size())};
  for (std::size_t i = 0; i < items.size(); ++i) {
    result.keys[i] = items[i].key;
    result.order[i] = items[i].number;
  }
  return result;
}

SortedKeys raised(SortedKeys keys, int levels) {
  for (MortonKey& k : keys.keys) k >>= 3 * levels;
  return keys;
}

}  // namespace nearfar
