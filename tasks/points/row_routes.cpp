// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/row_routes.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

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

/// Some points of a block, or of a range, few enough for all workers to have some.
struct Piece {
  std::size_t of;
  PointRange points;
};
/// Those of each of so many blocks or ranges, in their order.
template <class PointsOf>
std::vector<Piece> pieces_of(std::size_t count, PointsOf const& points_of) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < count; ++i) {
    PointRange const all = points_of(i);
    for (int first = all.first; first < all.last; first += rows_of_piece)
      pieces.push_back({i, {first, std::min(all.last, first + rows_of_piece)}});
  }
  return pieces;
}

using Counts = std::vector<std::vector<std::size_t>>;  // [piece, or range][stretch]

}  // namespace

template <class T>
SourceRoutes::SourceRoutes(BlockedPoints<T> const& sources, std::vector<int> const& owners,
                           std::vector<Stretch> const& stretches, Loop const& loop) {
  StretchOf const stretch_of(stretches);
  std::size_t const blocks = owners.size();
  auto const pieces = pieces_of(blocks, [&](std::size_t b) { return PointRange{0, sources.count(int(b))}; });
  auto const rows_of = [&](Piece const& piece) {
    return std::span(sources.rows(int(piece.of)) + piece.points.first, std::size_t(piece.points.count()));
  };
  Counts counts(pieces.size(), std::vector<std::size_t>(stretches.size(), 0));
  loop(pieces.size(), [&](std::size_t p) {
    for (std::uint32_t const row : rows_of(pieces[p])) ++counts[p][stretch_of(row)];
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
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      std::size_t& end = size[place(owners[pieces[p].of])];
      next[p][s] = end;
      end += counts[p][s];
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
  loop(pieces.size(), [&](std::size_t p) {
    std::size_t const b = pieces[p].of;
    std::uint32_t* const chosen = chosen_[place(owners[b])].data();
    std::uint32_t* out = index_.data() + at[b] + pieces[p].points.first;
    for (std::uint32_t const row : rows_of(pieces[p])) {
      std::size_t const s = stretch_of(row), to = next[p][s]++;
      chosen[to] = std::uint32_t(row - stretches[s].first);
      *out++ = std::uint32_t(to);
    }
  });
  for (std::size_t b = 0; b < blocks; ++b)
    std::fill(index_.data() + at[b] + sources.count(int(b)), index_.data() + at[b + 1], 0);
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
  auto const pieces = pieces_of(ranges.size(), [&](std::size_t r) { return ranges[r].points; });
  std::vector<std::size_t> const none(stretches.size(), 0);
  Counts next(pieces.size(), none), counts(ranges.size(), none);
  loop(pieces.size(), [&](std::size_t p) {
    auto const& [range, points] = pieces[p];
    std::uint32_t const* const rows = targets.rows(ranges[range].block);
    for (int i = points.first; i < points.last; ++i) ++next[p][stretch_of(rows[i])];
  });
  for (std::size_t p = 0; p < pieces.size(); ++p)
    for (std::size_t s = 0; s < stretches.size(); ++s) counts[pieces[p].of][s] += next[p][s];
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
  Counts places(ranges.size(), none);  // of the next point that leaves
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    std::size_t place = at[r];
    for (Taker const& taker : takers_[r]) {
      if (!leaves(r, taker.stretch)) continue;
      begins[r].push_back(places[r][std::size_t(taker.stretch)] = place);
      place += counts[r][std::size_t(taker.stretch)];
    }
  }
  for (std::size_t p = 0; p < pieces.size(); ++p)
    for (std::size_t s = 0; s < stretches.size(); ++s) {
      std::size_t& place = places[pieces[p].of][s];
      place += std::exchange(next[p][s], place);
    }
  loop(pieces.size(), [&](std::size_t p) {
    auto const& [range, points] = pieces[p];
    if (at[range + 1] == at[range]) return;
    std::vector<char> wanted(stretches.size());
    for (std::size_t s = 0; s < stretches.size(); ++s) wanted[s] = leaves(range, int(s));
    std::uint32_t const* const rows = targets.rows(ranges[range].block);
    for (int i = points.first; i < points.last; ++i) {
      std::size_t const s = stretch_of(rows[i]);
      if (wanted[s] == 0) continue;
      point_memory_.data()[next[p][s]] = std::uint32_t(i - ranges[range].points.first);
      row_memory_.data()[next[p][s]++] = std::uint32_t(rows[i] - stretches[s].first);
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
