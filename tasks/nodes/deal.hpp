// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/nodes/ranks.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace nearfar::detail {

/// A number of points for each rank: consecutive ones, as evenly as possible, whoever gives them.
inline Parts even_parts(std::size_t points, int ranks) {
  Parts parts{{0}};
  for (int r = 1; r <= ranks; ++r) parts.first.push_back(points * std::size_t(r) / std::size_t(ranks));
  return parts;
}

/// Points that belong to one rank in division a, and to another rank in division b.
struct PartsOverlap {
  std::size_t first, last;  ///< [first, last), in the order of all

  PartsOverlap(Parts const& a, int rank_of_a, Parts const& b, int rank_of_b)
      : first(std::max(a.first[std::size_t(rank_of_a)], b.first[std::size_t(rank_of_b)])),
        last(std::max(first, std::min(a.first[std::size_t(rank_of_a) + 1], b.first[std::size_t(rank_of_b) + 1]))) {}

  std::size_t count() const noexcept { return last - first; }
};

/// Moves points from the ranks that give them to those that are to have them: returns this rank's rows of
/// `row` numbers. The caller's own memory if there is no other rank, else a copy in `store`. Collective.
template <class T>
std::span<T const> deal(Ranks const& ranks, Parts const& given, Parts const& had, std::span<T const> mine,
                        std::size_t row, std::vector<T>& store) {
  if (!ranks.connected()) return mine;
  std::vector<int> sent, received;
  for (int r = 0; r < ranks.count(); ++r) {
    sent.push_back(int(PartsOverlap(given, ranks.rank(), had, r).count()));
    received.push_back(int(PartsOverlap(given, r, had, ranks.rank()).count()));
  }
  ranks.together([&] { store.resize(had.of(ranks.rank()) * row); });
  ranks.exchange(mine.data(), sent, store.data(), received, row * sizeof(T));
  return store;
}

}  // namespace nearfar::detail
