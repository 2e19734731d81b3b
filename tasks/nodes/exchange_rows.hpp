// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/nodes/ranks.hpp"

#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace nearfar::detail {

/// Counts of rows as MPI takes them. Throws Error{no_resource} beyond its range.
inline std::vector<int> counted_in_31_bits(std::vector<std::size_t> const& counts) {
  if (std::size_t const all = std::accumulate(counts.begin(), counts.end(), std::size_t(0));
      all > std::size_t(std::numeric_limits<int>::max()))
    throw Error(Fault::no_resource, std::to_string(all) +
                                        " points and copies of them would change hands at one rank (MPI counts to "
                                        "2^31 - 1); spread the points over more ranks");
  return {counts.begin(), counts.end()};
}

/// Exchanges rows: to each rank as many as `counts` says, in the order of ranks; returns
/// what all ranks have for this one, likewise. Collective, for ranks that are connected.
template <class Rows>
Rows exchange_rows(Ranks const& ranks, Rows const& sent, std::vector<std::size_t> const& counts) {
  std::vector<std::size_t> of_ranks(counts.size());
  std::vector<int> const one(counts.size(), 1);
  std::vector<int> sent_rows, received_rows;
  ranks.exchange(counts.data(), one, of_ranks.data(), one, sizeof(std::size_t));
  Rows received;
  ranks.together([&] {
    sent_rows = counted_in_31_bits(counts);
    received_rows = counted_in_31_bits(of_ranks);
    received.resize(std::accumulate(of_ranks.begin(), of_ranks.end(), std::size_t(0)));
  });
  ranks.exchange(sent.data(), sent_rows, received.data(), received_rows, sizeof(typename Rows::value_type));
  return received;
}

}  // namespace nearfar::detail
