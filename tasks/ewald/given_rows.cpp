// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald/given_rows.hpp"

#include "tasks/nodes/exchange_rows.hpp"

#include <array>
#include <cstdint>

namespace nearfar::detail {

namespace {

template <class T>
struct Row {
  std::uint32_t row;  ///< among those of all ranks
  std::array<T, 3> x;
};

/// Calls take(row) for each point of a block, with its position as the caller gave it.
template <class T, class Take>
void visit_rows(BlockedPoints<T> const& points, int block, Frame const& frame, bool keep_unwrapped, Take take) {
  auto const at = points.arrays(block);
  T const* const given = at.given != nullptr ? at.given : at.position;
  T const* const from = keep_unwrapped ? given : points.near(block);
  for (int i = 0; i < points.count(block); ++i) {
    Row<T> row{points.rows(block)[i], {}};
    for (std::size_t d = 0; d < 3; ++d) {
      double x = double(from[std::int64_t(d) * at.stride + i]);
      // If T cannot represent a periodic edge, positions near the far face are relative to that face as T rounds it.
      bool const rounded = frame.cells.periodic[d] && frame.cells.face[d] != frame.cells.edge[d];
      double const origin = frame.cells.periodic[d] ? 0 : frame.near_origin[d];
      if (!keep_unwrapped) x += rounded && x < 0 ? frame.cells.face[d] : origin;
      row.x[std::size_t(frame.axes[d])] = T(frame.unit.callers(x));
    }
    take(row);
  }
}

}  // namespace

template <class T>
std::vector<T> given_rows(Ranks const& ranks, BlockedPoints<T> const& points, Parts const& parts,
                          std::vector<std::vector<int>> const& holders, Frame const& frame, bool keep_unwrapped) {
  auto const count = std::size_t(ranks.count()), me = std::size_t(ranks.rank());
  std::vector<T> rows;
  auto const put = [&](Row<T> const& row) {
    std::copy(row.x.begin(), row.x.end(), rows.begin() + 3 * std::ptrdiff_t(row.row - parts.first[me]));
  };
  std::vector<Row<T>> sent;
  std::vector<std::size_t> counts;
  ranks.together([&] {
    rows.resize(3 * parts.of(int(me)));
    std::vector<std::vector<Row<T>>> to(count);
    for (int b = 0; b < points.blocks(); ++b)
      if (!ranks.connected()) visit_rows(points, b, frame, keep_unwrapped, put);
      else if (points.count(b) > 0 && holders[std::size_t(b)].front() == int(me))
        visit_rows(points, b, frame, keep_unwrapped,
                   [&](Row<T> const& row) { to[std::size_t(parts.rank_of(row.row))].push_back(row); });
    for (auto const& of_rank : to) {
      counts.push_back(of_rank.size());
      sent.insert(sent.end(), of_rank.begin(), of_rank.end());
    }
  });
  if (!ranks.connected()) return rows;
  for (Row<T> const& row : exchange_rows(ranks, sent, counts)) put(row);
  return rows;
}

#define NEARFAR_INSTANTIATE(T)                                                            \
  template std::vector<T> given_rows(Ranks const&, BlockedPoints<T> const&, Parts const&, \
                                     std::vector<std::vector<int>> const&, Frame const&, bool);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
