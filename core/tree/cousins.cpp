// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/cousins.hpp"

#include <algorithm>
#include <cstdlib>

namespace nearfar {

CousinFinder::CousinFinder(int separation)
    : separation_(separation), known_(std::size_t(vector_count(separation)), -1) {}

void CousinFinder::next_target(std::int32_t const at[3], std::int32_t slot) {
  std::int32_t const parent[3] = {at[0] >> 1, at[1] >> 1, at[2] >> 1};
  if (!std::equal(parent, parent + 3, to_)) std::fill(known_.begin(), known_.end(), -1);
  std::copy_n(parent, 3, to_);
  octant_ = octant_of(at[0], at[1], at[2]);
  slot_ = slot;
  number_ = -1;
}

void CousinFinder::open(std::int32_t const parent[3]) {
  int d[3], mirrored = 0;
  for (int k = 0; k < 3; ++k) {
    from_[k] = parent[k];
    d[k] = to_[k] - parent[k];
    if (d[k] < 0) mirrored |= 4 >> k;
  }
  std::int32_t& number = known_[std::size_t(vector_id(d[0], d[1], d[2], separation_))];
  if (number < 0) {
    number = std::int32_t(pairs_.size());
    int const key = vector_id(std::abs(d[0]), std::abs(d[1]), std::abs(d[2]), separation_);
    constexpr std::int32_t no = -1;
    pairs_.push_back({key, 0, 0, 0, {mirrored, {no, no, no, no, no, no, no, no}, {}, {}}});
    std::copy_n(pairs_.back().cousins.target, 8, pairs_.back().cousins.slot);
  }
  number_ = number;
  Pair& pair = pairs_[std::size_t(number)];
  pair.targets |= 1 << (octant_ ^ mirrored);
  pair.cousins.target[octant_ ^ mirrored] = slot_;
}

/// Lanes that a pair leaves empty are lost. All children there that are not near must have a link.
bool CousinFinder::is_full(Pair const& pair) const {
  int d[3], way[3], possible = 0, present = 0;
  vector_of(pair.key, separation_, d);
  for (int s = 0; s < 8; ++s)
    for (int t = 0; t < 8; ++t) {
      if (!far_cousins(d, s, t, separation_, way)) continue;
      ++possible;
      present += (pair.sources >> s & 1) & (pair.targets >> t & 1);
    }
  return pair.links == present && 3 * pair.links >= 2 * possible;
}

void CousinFinder::close() {
  std::vector<std::int32_t> order;
  std::int64_t links = 0, kept = 0;
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    links += pairs_[p].links;
    if (!is_full(pairs_[p])) continue;
    kept += pairs_[p].links;
    order.push_back(std::int32_t(p));
  }
  kept_.assign(pairs_.size(), 0);
  if (2 * kept < links) return;
  auto const pair = [&](std::int32_t p) -> Pair const& { return pairs_[std::size_t(p)]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return pair(a).key < pair(b).key; });
  for (std::int32_t p : order) {
    if (runs_.empty() || runs_.back().key != pair(p).key)
      runs_.push_back({pair(p).key, std::int32_t(cousins_.size()), 0, 0, 0});
    CousinRun& run = runs_.back();
    ++run.count;
    run.sources |= pair(p).sources;
    run.targets |= pair(p).targets;
    kept_[std::size_t(p)] = 1;
    cousins_.push_back(pair(p).cousins);
  }
}

}  // namespace nearfar
