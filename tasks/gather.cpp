// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/runtime/runtime_state.hpp"

#include <nearfar/gather.hpp>

#include <algorithm>

namespace nearfar {

std::vector<double> gather_from(Runtime const& runtime, int from, std::span<double const> mine) {
  auto const& ranks = runtime.state().ranks();
  if (!ranks.connected()) return {mine.begin(), mine.end()};
  std::size_t const size = ranks.parts(mine.size()).of(from);
  bool const sends = ranks.rank() == from, receives = ranks.rank() == 0;
  std::vector<double> rows;
  ranks.together([&] { rows.resize(receives ? size : 0); });
  constexpr std::size_t most = std::size_t(1) << 30;  // MPI counts in 31 bits
  for (std::size_t at = 0; at < size; at += most) {
    int const part = int(std::min(most, size - at));
    std::vector<int> sent(std::size_t(ranks.count()), 0), received = sent;
    if (sends) sent[0] = part;
    if (receives) received[std::size_t(from)] = part;
    ranks.exchange(sends ? mine.data() + at : nullptr, sent, receives ? rows.data() + at : nullptr, received,
                   sizeof(double));
  }
  return rows;
}

long double sum_of_ranks(Runtime const& runtime, long double mine) {
  runtime.state().ranks().sum(std::span(&mine, 1));
  return mine;
}

}  // namespace nearfar
