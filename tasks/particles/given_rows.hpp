// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/nodes/exchange_rows.hpp"
#include "tasks/nodes/parts.hpp"
#include "tasks/nodes/ranks.hpp"
#include "tasks/points/blocked_points.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearfar::detail {

/// The rows of points as callers gave them, found again from their blocks: places(block) is a function of the number of
/// a point in the block. If points are `dealt`, this rank gets those that it gave, of each block from the rank that
/// sends(block); else it holds all of them. Collective.
template <class T, class Sends, class Places>
std::vector<T> given_rows(Ranks const& ranks, BlockedPoints<T> const& points, Parts const& parts, bool dealt,
                          Sends const& sends, Places const& places) {
  struct Row {
    std::uint32_t row;  // among those of all ranks
    std::array<T, 3> x;
  };
  auto const visit = [&](int b, auto const& take) {
    auto const place = places(b);
    for (int i = 0; i < points.count(b); ++i) take(Row{points.rows(b)[i], place(i)});
  };
  std::size_t const first = dealt ? parts.first[std::size_t(ranks.rank())] : 0;
  std::vector<T> rows;
  auto const put = [&](Row const& row) {
    std::ranges::copy(row.x, rows.begin() + 3 * std::ptrdiff_t(row.row - first));
  };
  std::vector<std::size_t> counts(std::size_t(ranks.count()), 0);
  std::vector<Row> sent;
  ranks.together([&] {
    rows.resize(3 * (dealt ? parts.of(ranks.rank()) : points.size()));
    std::vector<std::vector<Row>> to(counts.size());
    for (int b = 0; b < points.blocks(); ++b)
      if (!dealt) visit(b, put);
      else if (points.count(b) > 0 && sends(b))
        visit(b, [&](Row const& row) { to[std::size_t(parts.rank_of(row.row))].push_back(row); });
    for (std::size_t r = 0; r < to.size(); ++r) {
      counts[r] = to[r].size();
      sent.insert(sent.end(), to[r].begin(), to[r].end());
    }
  });
  if (!dealt) return rows;
  for (Row const& row : exchange_rows(ranks, sent, counts)) put(row);
  return rows;
}

}  // namespace nearfar::detail
