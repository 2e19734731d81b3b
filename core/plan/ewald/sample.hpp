// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace nearfar {

/// Index of number i of `count` points that are looked at out of `all`: one from each of as many equal runs, by chance,
/// since crystals are often listed in an order that repeats with the step between runs.
inline std::size_t sampled(std::size_t i, std::size_t count, std::size_t all) noexcept {
  if (count == all) return i;
  std::size_t const first = i * all / count, length = (i + 1) * all / count - first;
  std::uint64_t bits = (i + 1) * 0x9e3779b97f4a7c15U;  // splitmix64
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebU;
  return first + static_cast<std::size_t>((bits ^ bits >> 31) % length);
}

}  // namespace nearfar
