// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/morton.hpp"

#include <cstddef>
#include <numeric>

namespace nearfar {

std::vector<std::uint32_t> sorted_order(std::vector<MortonKey> const& keys, int bits) {
  constexpr int digit_bits = 11;
  constexpr MortonKey mask = (MortonKey(1) << digit_bits) - 1;
  std::vector<std::uint32_t> order(keys.size()), next(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  for (int shift = 0; shift < bits; shift += digit_bits) {
    std::vector<std::size_t> place(mask + 2, 0);
    for (MortonKey k : keys) ++place[std::size_t(k >> shift & mask) + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    for (std::uint32_t i : order) next[place[std::size_t(keys[i] >> shift & mask)]++] = i;
    order.swap(next);
  }
  return order;
}

}  // namespace nearfar
