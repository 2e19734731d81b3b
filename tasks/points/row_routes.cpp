// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/row_routes.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace nearfar::detail {

namespace {

/// The stretch of a row.
class StretchOf {
 public:
  explicit StretchOf(std::vector<Stretch> const& stretches) : stretches_(stretches) {}
  std::size_t operator()(std::uint32_t row) const {
    if (stretches_.size() == 1) return 0;
    return std::size_t(std::ranges::upper_bound(stretches_, row, {}, &Stretch::last) - stretches_.begin());
  }

 private:
  std::vector<Stretch> const& stretches_;
};

using Counts = std::vector<std::vector<std::size_t>>;  // [block or range][stretch]

}  // namespace

template <class T>
SourceRoutes::SourceRoutes(BlockedPoints<T> const& sources, std::vector<int> const& owners,
                           std::vector<Stretch> const& stretches, Loop const& loop) {
  StretchOf const stretch_of(stretches);
  std::size_t const blocks = owners.size();
  auto const rows_of = [&](std::size_t b) {
    return std::span(sources.rows(int(b)), std::size_t(sources.count(int(b))));
  };
  Counts counts(blocks, std::vector<std::size_t>(stretches.size(), 0));
  loop(blocks, [&](std::size_t b) {
    for (std::uint32_t const row : rows_of(b)) ++counts[b][stretch_of(row)];
  });
  std::size_t gpus = 1;
  for (int const owner : owners) gpus = std::max(gpus, place(owner) + 1);
  // Of each GPU: stretch after stretch, in each block after block, in each in the order of the points.
  cut_.assign(gpus, RowCut(RowCut::uneven));
  std::vector<std::size_t> messages(gpus, 0), size(gpus, 0);
  Counts next = counts;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> begins(gpus);  // stretch and first row of each message
  for (std::size_t s = 0; s < stretches.size(); ++s) {
    std::vector<std::size_t> const before = size;
    for (std::size_t b = 0; b < blocks; ++b) {
      next[b][s] = size[place(owners[b])];
      size[place(owners[b])] += counts[b][s];
    }
    for (std::size_t g = 0; g < gpus; ++g) {
      if (size[g] == before[g]) continue;
      cut_[g].first[messages[g]++] = std::uint32_t(before[g]);
      begins[g].emplace_back(s, before[g]);
    }
  }
  for (std::size_t const n : size) chosen_.emplace_back(n);
  std::vector<std::size_t> at(blocks + 1, 0);
  for (std::size_t b = 0; b < blocks; ++b) at[b + 1] = at[b] + std::size_t(sources.stride(int(b)));
  index_ = Arena<std::uint32_t>(at.back());
  loop(blocks, [&](std::size_t b) {
    std::uint32_t* const chosen = chosen_[place(owners[b])].data();
    std::uint32_t* out = index_.data() + at[b];
    for (std::uint32_t const row : rows_of(b)) {
      std::size_t const s = stretch_of(row), to = next[b][s]++;
      chosen[to] = std::uint32_t(row - stretches[s].first);
      *out++ = std::uint32_t(to);
    }
    std::fill(out, index_.data() + at[b + 1], 0);
  });
  for (std::size_t g = 0; g < gpus; ++g)
    for (std::size_t m = 0; m < begins[g].size(); ++m) {
      auto const [s, begin] = begins[g][m];
      std::size_t const end = m + 1 < begins[g].size() ? begins[g][m + 1].second : size[g];
      packed_.push_back({s, gpus > 1 ? int(g) : everywhere, std::int64_t(end - begin),
                         Data::constant("strengths to send", chosen_[g].data() + begin, std::int64_t(end - begin))});
    }
  for (std::size_t b = 0; b < blocks; ++b)
    rows_.push_back(Data::constant("rows of strengths", index_.data() + at[b], sources.stride(int(b))));
}

template <class T>
TargetRoutes::TargetRoutes(BlockedPoints<T> const& targets, std::vector<TargetRange> const& ranges,
                           std::vector<int> const& owners, std::vector<Stretch> const& stretches, bool leave,
                           Loop const& loop)
    : takers_(ranges.size()), points_(ranges.size()), rows_(ranges.size()) {
  StretchOf const stretch_of(stretches);
  auto const leaves = [&](std::size_t range, int stretch) {
    int const gpu = stretches[std::size_t(stretch)].gpu;
    return leave && gpu != everywhere && gpu != owners[range];
  };
  Counts counts(ranges.size(), std::vector<std::size_t>(stretches.size(), 0));
  loop(ranges.size(), [&](std::size_t r) {
    auto const& [block, points] = ranges[r];
    for (int i = points.first; i < points.last; ++i) ++counts[r][stretch_of(targets.rows(block)[i])];
  });
  std::vector<std::size_t> at(ranges.size() + 1, 0);
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    at[r + 1] = at[r];
    for (std::size_t s = 0; s < stretches.size(); ++s) {
      if (counts[r][s] == 0) continue;
      takers_[r].push_back({stretches[s].gpu, int(counts[r][s]), int(s)});
      if (leaves(r, int(s))) at[r + 1] += counts[r][s];
    }
  }
  point_memory_ = Arena<std::uint32_t>(at.back());
  row_memory_ = Arena<std::uint32_t>(at.back());
  std::vector<std::vector<std::size_t>> begins(ranges.size());
  loop(ranges.size(), [&](std::size_t r) {
    std::vector<std::size_t> next(stretches.size(), 0);
    std::vector<char> wanted(stretches.size(), 0);
    std::size_t place = at[r];
    for (Taker const& taker : takers_[r]) {
      auto const s = std::size_t(taker.stretch);
      if (!leaves(r, taker.stretch)) continue;
      begins[r].push_back(place);
      wanted[s] = 1;
      next[s] = place;
      place += counts[r][s];
    }
    auto const& [block, points] = ranges[r];
    for (int i = points.first; i < points.last && place > at[r]; ++i) {
      std::uint32_t const row = targets.rows(block)[i];
      std::size_t const s = stretch_of(row);
      if (wanted[s] == 0) continue;
      point_memory_.data()[next[s]] = std::uint32_t(i - points.first);
      row_memory_.data()[next[s]++] = std::uint32_t(row - stretches[s].first);
    }
  });
  for (std::size_t r = 0; r < ranges.size(); ++r)
    for (std::size_t m = 0; m < begins[r].size(); ++m) {
      std::size_t const begin = begins[r][m], end = m + 1 < begins[r].size() ? begins[r][m + 1] : at[r + 1];
      auto const count = std::int64_t(end - begin);
      points_[r].push_back(Data::constant("leaving points", point_memory_.data() + begin, count));
      rows_[r].push_back(Data::constant("rows of results", row_memory_.data() + begin, count));
    }
}

#define NEARFAR_INSTANTIATE(T)                                                                                       \
  template SourceRoutes::SourceRoutes(BlockedPoints<T> const&, std::vector<int> const&, std::vector<Stretch> const&, \
                                      Loop const&);                                                                  \
  template TargetRoutes::TargetRoutes(BlockedPoints<T> const&, std::vector<TargetRange> const&,                      \
                                      std::vector<int> const&, std::vector<Stretch> const&, bool, Loop const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
