// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/given_strengths.hpp"

#include "codelets/points/units/units.hpp"

#include <algorithm>

namespace nearfar::detail {

namespace {

/// How many rows go to each rank, or come from it.
std::vector<int> counts_of(std::vector<std::vector<std::uint32_t>> const& rows) {
  std::vector<int> counts;
  for (auto const& of_rank : rows) counts.push_back(int(of_rank.size()));
  return counts;
}

}  // namespace

template <class T>
GivenStrengths<T> given_strengths(Ranks const& ranks, PlannedPoints<T> const& points, std::span<T const> mine,
                                  int strengths, int vectors) {
  GivenStrengths<T> given{mine, {}, 0, {}};
  if (!ranks.several()) return given;
  Routes const& routes = points.routes();
  std::size_t const row = std::size_t(strengths) * std::size_t(vectors), all = points.sources().size();
  std::size_t to_others = 0;
  Arena<T> sent, received;
  ranks.together([&] {
    std::size_t out = 0, in = 0;
    for (auto const& rows : routes.send) out += rows.size();
    for (auto const& rows : routes.receive) in += rows.size();
    to_others = out - routes.send[std::size_t(ranks.rank())].size();
    sent = Arena<T>(out * row);
    received = Arena<T>(in * row);
    given.memory = Arena<T>(all * row);
    given.largest.resize(std::size_t(strength_groups(strengths)) * std::size_t(vectors));
    largest_strengths(mine.data(), {strengths, vectors, 0, std::int64_t(mine.size() / row)}, given.largest.data());
  });
  T* out = sent.data();
  for (auto const& rows : routes.send)
    for (std::uint32_t const i : rows) out = std::copy_n(&mine[i * row], row, out);
  ranks.exchange(sent.data(), counts_of(routes.send), received.data(), counts_of(routes.receive), row * sizeof(T));
  ranks.largest(given.largest);
  T const* in = received.data();
  for (auto const& rows : routes.receive)
    for (std::uint32_t const i : rows) {
      std::copy_n(in, row, given.memory.data() + i * row);
      in += row;
    }
  given.rows = {given.memory.data(), all * row};
  given.sent_bytes = to_others * row * sizeof(T);
  return given;
}

template GivenStrengths<double> given_strengths(Ranks const&, PlannedPoints<double> const&, std::span<double const>,
                                                int, int);
template GivenStrengths<float> given_strengths(Ranks const&, PlannedPoints<float> const&, std::span<float const>, int,
                                               int);

}  // namespace nearfar::detail
