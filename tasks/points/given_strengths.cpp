// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/given_strengths.hpp"

#include "codelets/points/bin/bin.hpp"
#include "codelets/points/units/units.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nearfar::detail {

namespace {

/// Checks strengths before ranks exchange them; where one process has all of them, Bin does.
template <class T>
void expect_finite(std::span<T const> strengths, std::size_t row, std::size_t first_source) {
  auto const bad = std::ranges::find_if(strengths, [](T value) { return !std::isfinite(value); });
  if (bad == strengths.end()) return;
  auto const at = std::size_t(bad - strengths.begin());
  throw not_finite(first_source + at / row, int(at % row), double(*bad));
}

}  // namespace

template <class T>
GivenStrengths<T> given_strengths(Ranks const& ranks, PlannedPoints<T> const& points, std::span<T const> mine,
                                  int strengths, int vectors) {
  std::size_t const row = std::size_t(strengths) * std::size_t(vectors);
  GivenStrengths<T> given{mine, std::int64_t(row), {}, 0, {}};
  if (!ranks.several()) return given;
  Routes const& routes = points.routes();
  std::size_t const rows = std::size_t(std::accumulate(routes.receive.begin(), routes.receive.end(), std::int64_t(0)));
  Arena<T> sent;
  std::vector<int> counts;
  ranks.together([&] {
    expect_finite(mine, row, points.source_parts().first[std::size_t(ranks.rank())]);
    for (auto const& to : routes.send) counts.push_back(int(to.size()));
    sent = Arena<T>(mine.size());
    given.memory = Arena<T>(std::max<std::size_t>(rows, 1) * row);
    given.largest.resize(std::size_t(strength_groups(strengths)) * std::size_t(vectors));
    largest_strengths(mine.data(), {strengths, vectors, 0, std::int64_t(mine.size() / row)}, given.largest.data());
    T* out = sent.data();
    for (auto const& to : routes.send)
      for (std::uint32_t const i : to) out = std::copy_n(&mine[i * row], row, out);
  });
  ranks.exchange(sent.data(), counts, given.memory.data(), routes.receive, row * sizeof(T));
  ranks.largest(given.largest);
  given.rows = {given.memory.data(), given.memory.size()};
  given.sent_bytes = mine.size_bytes() - std::size_t(counts[std::size_t(ranks.rank())]) * row * sizeof(T);
  return given;
}

template GivenStrengths<double> given_strengths(Ranks const&, PlannedPoints<double> const&, std::span<double const>,
                                                int, int);
template GivenStrengths<float> given_strengths(Ranks const&, PlannedPoints<float> const&, std::span<float const>, int,
                                               int);

}  // namespace nearfar::detail
