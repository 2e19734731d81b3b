// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/p2p/p2p_simd.hpp"

#include "codelets/p2p/mutual_views.hpp"
#include "codelets/p2p/near_tile_simd.hpp"

namespace nearfar {

namespace {

/// Sources of one block and image.
template <class T>
struct Origin {
  MutualView<T> source;
  T shift[3];

  bool is(Origin const& o) const { return source.record == o.source.record && same_image(o); }
  /// No image.
  bool is_given() const { return shift[0] == 0 && shift[1] == 0 && shift[2] == 0; }
  bool same_image(Origin const& o) const {
    return shift[0] == o.shift[0] && shift[1] == o.shift[1] && shift[2] == o.shift[2];
  }
};

/// A stretch of source cells along z beside a column of target cells; offset[z] is where the points of cell z begin.
struct Stretch {
  std::int32_t const* offset;
  int low, high;  ///< cells, unwrapped as the targets see them
  int reach;
  int origin;
};

constexpr int most_stretches = 256, most_origins = 128;

/// Runs of sources around targets.
struct Runs {
  static constexpr int most = 3 * most_stretches;
  int count = 0;
  struct {
    int first, last;  ///< points
  } run[most];

  void add(int first, int last) {
    if (first < last) run[count++] = {first, last};
  }
};

template <class Tag, class T, Kernel K, bool Gradient>
struct ColumnOfTargets {
  using Pair = NearPair<K, Gradient>;
  using V = Batch<T, Tag>;
  using Around = Neighbourhood<V, T, K, Gradient>;
  using Rough = typename Around::Rough;
  static constexpr int row = Around::row_width;

  P2PBuffers<T> const& b;
  Share share;
  T const* own;  ///< records of the targets, if they are sources
  Rough limit;
  int stretches = 0, origins = 0;
  Stretch stretch[most_stretches], sorted[most_stretches];
  Origin<T> origin[most_origins];
  struct {
    Origin<T> const* from;
    int end;                            ///< of its stretches, sorted
    int end_of_one_way, end_of_mutual;  ///< of its runs
    bool holds_bunch;                   ///< itself, no image of it
  } group[most_origins];
  Runs one_way, mutual;
  Around to_targets, both_ways;

  bool full() const { return stretches == most_stretches || origins == most_origins; }

  void push(Origin<T> const& from, Stretch s) {
    while (s.origin < origins && !origin[s.origin].is(from)) ++s.origin;
    if (s.origin == origins) origin[origins++] = from;
    stretch[stretches++] = s;
  }

  /// Adds what the stretches give the targets of `count` cells; the first has this number in the block, and this z.
  void add(int cell, int z, int count) {
    sort();
    std::int32_t const* const offset = b.offset + cell;
    int const first = offset[0] > share.first ? offset[0] : share.first,
              last = offset[count] < share.last ? offset[count] : share.last;
    int low = 0, high = 0;
    for (int t = first, many; t < last; t += many) {
      many = last - t < Bunch<T>::most ? last - t : Bunch<T>::most;
      while (offset[low + 1] <= t) ++low;
      while (offset[high + 1] < t + many) ++high;
      find_runs({t, t + many}, z + low, z + high);
      Bunch<T> const bunch(b, t, many);
      for (int begin = 0; begin < many; begin += Around::targets) add_to(bunch, begin);
    }
    stretches = origins = 0;
  }

  /// Origins of one image come one after the other, and so do the stretches of one origin: what is found in them is
  /// looked up and summed together.
  void sort() {
    int ordered = 0, to = 0;
    bool done[most_origins] = {};
    for (int first = 0; first < origins; ++first)
      for (int o = first; o < origins; ++o) {
        if (done[o] || !origin[o].same_image(origin[first])) continue;
        done[o] = true;
        for (int i = 0; i < stretches; ++i)
          if (stretch[i].origin == o) sorted[to++] = stretch[i];
        group[ordered++] = {&origin[o], to, 0, 0, false};
      }
  }

  /// Of the sources around a bunch in the cells z = low .. high.
  void find_runs(Share bunch, int low, int high) {
    one_way.count = mutual.count = 0;
    for (int g = 0, i = 0; g < origins; ++g) {
      bool const its_own = group[g].from->source.record == own;
      group[g].holds_bunch = false;
      for (; i < group[g].end; ++i) {
        Stretch const& s = sorted[i];
        int const begin = low - s.reach > s.low ? low - s.reach : s.low,
                  last = high + s.reach < s.high ? high + s.reach : s.high;
        if (begin > last) continue;
        int const first = s.offset[begin], end = s.offset[last + 1];
        if (its_own) {
          bool const holds_bunch = group[g].from->is_given() && first <= bunch.first && bunch.last <= end;
          push_run(bunch, first, end, holds_bunch);
          group[g].holds_bunch = group[g].holds_bunch || holds_bunch;
        } else {
          (group[g].from->source.reaction == nullptr ? one_way : mutual).add(first, end);
        }
      }
      group[g].end_of_one_way = one_way.count;
      group[g].end_of_mutual = mutual.count;
    }
  }

  /// Of the bunch's own block: pairs within the share are summed once for both, when the turn of the first has come.
  /// The bunch itself is not looked for, and its image sees it as often as it sees its image.
  void push_run(Share bunch, int first, int last, bool holds_bunch) {
    auto const from = [&](int limit) { return first > limit ? first : limit; };
    auto const to = [&](int limit) { return last < limit ? last : limit; };
    one_way.add(first, to(share.first));
    if (!holds_bunch) one_way.add(from(bunch.first), to(bunch.last));
    mutual.add(from(bunch.last), to(share.last));
    one_way.add(from(share.last), last);
  }

  /// For the tile that begins with this one of a bunch.
  void add_to(Bunch<T> const& bunch, int begin) {
    int const targets = bunch.count - begin < Around::targets ? bunch.count - begin : Around::targets;
    Tile<T, Pair> tile;
    Rough rough[Around::targets][3];
    if (own != nullptr) take_strengths(bunch.number + begin, targets, tile);
    V u[Around::targets][row];
    for (auto& target : u)
      for (V& component : target) component = V(T(0));
    int found = 0, found_for_both = 0, looked_up, i = 0, k = 0;
    auto const sum = [&] { to_targets.template sum<false>(found, b.tables->near, tile, u); };
    auto const sum_for_both = [&] { both_ways.template sum<true>(found_for_both, b.tables->near, tile, u); };
    for (int g = 0; g < origins; ++g) {
      Origin<T> const& from = *group[g].from;
      if (g == 0 || !from.same_image(*group[g - 1].from)) {
        sum();
        sum_for_both();
        found = found_for_both = 0;
        for (int d = 0; d < 3; ++d)
          for (int t = 0; t < Around::targets; ++t) {
            tile.position[d][t] = bunch.position[d][begin + t] - from.shift[d];
            rough[t][d] = Rough(static_cast<float>(tile.position[d][t]));
          }
      }
      auto const look_up = [&] { to_targets.look_up(from.source.record, looked_up, found); };
      looked_up = found;
      collect(to_targets, found, from.source, one_way, i, group[g].end_of_one_way, rough, [&] {
        look_up();
        sum();
        found = looked_up = 0;
      });
      look_up();
      if (k == group[g].end_of_mutual && !group[g].holds_bunch) continue;
      bool const its_own = from.source.record == own;
      T* const rows = its_own ? b.result : from.source.reaction;
      auto const look_up_both = [&] {
        both_ways.look_up(from.source.record, looked_up, found_for_both);
        both_ways.look_up_rows(rows, its_own ? share.first : 0, looked_up, found_for_both);
      };
      auto const empty_both = [&] {
        look_up_both();
        sum_for_both();
        found_for_both = looked_up = 0;
      };
      looked_up = found_for_both;
      if (group[g].holds_bunch) {
        if (found_for_both + Bunch<T>::most > Around::capacity) empty_both();
        for (int n = begin; n < bunch.count; ++n) both_ways.number[found_for_both++] = bunch.number[n];
        look_up_both();
        // Pairs of targets of one tile are visited from both sides.
        for (int t = 0; t < targets; ++t) both_ways.row[looked_up + t] = both_ways.nowhere;
        looked_up = found_for_both;
      }
      collect(both_ways, found_for_both, from.source, mutual, k, group[g].end_of_mutual, rough, empty_both);
      look_up_both();
    }
    sum();
    sum_for_both();
    for (int t = 0; t < targets; ++t)
      add_all_to_row<row>(u[t], b.result + std::int64_t(bunch.number[begin + t] - share.first) * row);
  }

  /// Those past the end have none.
  void take_strengths(int const* number, int targets, Tile<T, Pair>& tile) const {
    for (int t = 0; t < Around::targets; ++t) {
      T const* const strength = own + std::int64_t(number[t]) * Around::width + 3;
      for (int c = 0; c < Pair::strengths; ++c)
        tile.strength[t][c] = t < targets ? T(Mirror<K, Gradient>::strength(c)) * strength[c] : T(0);
    }
  }

  /// Finds sources near a tile in the runs i .. end - 1, beside `count` that are there; `empty` makes room when there
  /// is no more.
  template <class Empty>
  void collect(Around& around, int& count, SourceView<T> const& source, Runs const& runs, int& i, int end,
               Rough const (*x)[3], Empty const& empty) const {
    for (; i < end; ++i)
      // Long runs go in pieces that fit.
      for (int first = runs.run[i].first, last; first < runs.run[i].last; first = last) {
        if (count >= around.capacity) empty();
        int const room = around.capacity - count;
        last = runs.run[i].last - first < room ? runs.run[i].last : first + room;
        count = around.find(count, source, first, last, x, limit);
      }
  }
};

/// The square of the cutoff, and a hair for positions and sums of squares in single precision.
template <class T>
float rough_limit(Cells const& c) {
  double longest = c.edge[0];
  for (int d = 1; d < 3; ++d) longest = c.edge[d] > longest ? c.edge[d] : longest;
  double const epsilon = 0x1p-24, reach = c.cutoff + 6 * epsilon * (longest + c.cutoff);
  return float(reach * reach * (1 + 8 * epsilon));
}

}  // namespace

/// Column by column: what is around a column of target cells is worked out once for all of them.
template <class Tag, class T, Kernel K, bool Gradient>
void p2p_simd(P2PBuffers<T> const& b, P2PArgs const& args) {
  Cells const& c = args.cells;
  int first[3], count[3];
  for (int d = 0; d < 3; ++d) {
    first[d] = c.first_cell(d, args.block.at[d]);
    count[d] = c.cells_in(d, args.block.at[d]);
  }
  Share const share = args.share;
  T const* const own = args.own < 0 ? nullptr : b.source(args.own).record;
  ColumnOfTargets<Tag, T, K, Gradient> targets{b, share, own, rough_limit<T>(c), 0, 0, {}, {}, {}, {}, {}, {}, {}, {}};
  constexpr int row = result_row(NearPair<K, Gradient>::results);
  auto const views = mutual_views(b, args, row);
  for (std::int64_t i = 0; i < std::int64_t(share.count()) * row; ++i) b.result[i] = T(0);

  for (int i = 0; i < count[0] * count[1]; ++i) {
    int const begin = b.offset[i * count[2]], end = b.offset[(i + 1) * count[2]];
    if (begin == end || end <= share.first) continue;
    if (begin >= share.last) break;
    for_each_column(c, first[0] + i / count[1], first[1] + i % count[1], [&](Column const& column) {
      for_each_stretch<T>(
          args, column, first[2] - column.reach, first[2] + count[2] - 1 + column.reach,
          [&](int n) { return views[std::size_t(n)]; },
          [&](MutualView<T> const& source, int cell, int z, int length, T const* shift) {
            targets.push({source, {shift[0], shift[1], shift[2]}},
                         {source.offset + cell - z, z, z + length - 1, column.reach, 0});
            if (targets.full()) targets.add(i * count[2], first[2], count[2]);
          });
    });
    targets.add(i * count[2], first[2], count[2]);
  }
}

#define NEARFAR_INSTANTIATE(T)                                                                                 \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::stokeslet, false>(P2PBuffers<T> const&, P2PArgs const&); \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::stresslet, false>(P2PBuffers<T> const&, P2PArgs const&); \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::stokes, false>(P2PBuffers<T> const&, P2PArgs const&);    \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::laplace, false>(P2PBuffers<T> const&, P2PArgs const&);   \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::laplace, true>(P2PBuffers<T> const&, P2PArgs const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
