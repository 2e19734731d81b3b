// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/lists/parent_pairs.hpp"

#include <algorithm>
#include <cstdlib>

namespace nearfar {

ParentPairFinder::ParentPairFinder(int separation)
    : separation_(separation), known_(std::size_t(vector_count(separation)), -1) {}

void ParentPairFinder::next_target(std::int32_t const at[3], std::int32_t local) {
  std::int32_t const parent[3] = {at[0] >> 1, at[1] >> 1, at[2] >> 1};
  if (!std::equal(parent, parent + 3, to_)) std::fill(known_.begin(), known_.end(), -1);
  std::copy_n(parent, 3, to_);
  octant_ = octant_of(at[0], at[1], at[2]);
  local_ = local;
  number_ = -1;
}

void ParentPairFinder::open(std::int32_t const parent[3]) {
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
    std::copy_n(pairs_.back().parent_pairs.target, 8, pairs_.back().parent_pairs.local);
  }
  number_ = number;
  Pair& pair = pairs_[std::size_t(number)];
  pair.targets |= 1 << (octant_ ^ mirrored);
  pair.parent_pairs.target[octant_ ^ mirrored] = local_;
}

/// Lanes that a pair leaves empty are lost. All its children that are not near must interact, since all are computed.
bool ParentPairFinder::is_full(Pair const& pair) const {
  int d[3], way[3], possible = 0, present = 0;
  vector_of(pair.key, separation_, d);
  for (int s = 0; s < 8; ++s)
    for (int t = 0; t < 8; ++t) {
      if (!far_parent_pairs(d, s, t, separation_, way)) continue;
      ++possible;
      present += (pair.sources >> s & 1) & (pair.targets >> t & 1);
    }
  return pair.interactions == present && 3 * pair.interactions >= 2 * possible;
}

void ParentPairFinder::close() {
  std::vector<std::int32_t> order;
  std::int64_t interactions = 0, kept = 0;
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    interactions += pairs_[p].interactions;
    if (!is_full(pairs_[p])) continue;
    kept += pairs_[p].interactions;
    order.push_back(std::int32_t(p));
  }
  kept_.assign(pairs_.size(), 0);
  if (2 * kept < interactions) return;
  auto const pair = [&](std::int32_t p) -> Pair const& { return pairs_[std::size_t(p)]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return pair(a).key < pair(b).key; });
  for (std::int32_t p : order) {
    if (runs_.empty() || runs_.back().key != pair(p).key)
      runs_.push_back({pair(p).key, std::int32_t(parent_pairs_.size()), 0, 0, 0});
    ParentPairRun& run = runs_.back();
    ++run.count;
    run.sources |= pair(p).sources;
    run.targets |= pair(p).targets;
    kept_[std::size_t(p)] = 1;
    parent_pairs_.push_back(pair(p).parent_pairs);
  }
}

}  // namespace nearfar
