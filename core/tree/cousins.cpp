// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/cousins.hpp"

#include "core/tree/vectors.hpp"

#include <algorithm>
#include <numeric>

namespace nearfar {

CousinFinder::CousinFinder(int separation)
    : separation_(separation), open_(std::size_t(vector_count(separation)), -1) {}

void CousinFinder::next_parent() { std::fill(open_.begin(), open_.end(), -1); }

void CousinFinder::add(std::int32_t const at[3], std::int32_t target, std::int32_t const from[3], std::int32_t buffer,
                       std::int32_t slot) {
  int d[3], mirrored = 0;
  for (int k = 0; k < 3; ++k) {
    d[k] = (at[k] >> 1) - (from[k] >> 1);
    if (d[k] < 0) mirrored |= 4 >> k;
  }
  std::int32_t& number = open_[std::size_t(vector_id(d[0], d[1], d[2], separation_))];
  if (number < 0) {
    number = std::int32_t(pairs_.size());
    pairs_.push_back({vector_id(std::abs(d[0]), std::abs(d[1]), std::abs(d[2]), separation_), 0, 0, 0, {}});
    Cousins& c = pairs_.back().cousins;
    c.mirrored = mirrored;
    for (auto* list : {c.target, c.buffer, c.slot}) std::fill_n(list, 8, -1);
  }
  Pair& pair = pairs_[std::size_t(number)];
  int const s = octant_of(from[0], from[1], from[2]) ^ mirrored, t = octant_of(at[0], at[1], at[2]) ^ mirrored;
  ++pair.links;
  pair.sources |= 1 << s;
  pair.targets |= 1 << t;
  pair.cousins.target[t] = target;
  pair.cousins.buffer[s] = buffer;
  pair.cousins.slot[s] = slot;
  pair_of_.push_back(number);
}

/// Lanes that a pair leaves empty are lost, which is worth it while they are few. All children there that are not near
/// must have a link.
bool CousinFinder::is_full(Pair const& pair) const {
  int d[3], way[3], possible = 0, present = 0;
  vector_of(pair.key, separation_, d);
  for (int s = 0; s < 8; ++s)
    for (int t = 0; t < 8; ++t) {
      if (!far(d, s, t, separation_, way)) continue;
      ++possible;
      present += (pair.sources >> s & 1) & (pair.targets >> t & 1);
    }
  return pair.links == present && 3 * pair.links >= 2 * possible;
}

void CousinFinder::close() {
  kept_.assign(pairs_.size(), -1);
  std::vector<std::int32_t> order;
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    if (is_full(pairs_[p])) order.push_back(std::int32_t(p));
  auto const pair = [&](std::int32_t p) -> Pair const& { return pairs_[std::size_t(p)]; };
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return pair(a).key < pair(b).key; });
  for (std::int32_t p : order) {
    if (runs_.empty() || runs_.back().key != pair(p).key)
      runs_.push_back({pair(p).key, std::int32_t(sorted_.size()), 0, 0, 0});
    CousinRun& run = runs_.back();
    ++run.count;
    run.sources |= pair(p).sources;
    run.targets |= pair(p).targets;
    kept_[std::size_t(p)] = std::int32_t(sorted_.size());
    sorted_.push_back(pair(p).cousins);
  }
}

}  // namespace nearfar
