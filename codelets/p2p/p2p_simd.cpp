// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/p2p/p2p_simd.hpp"

#include "codelets/p2p/near_tile_simd.hpp"

namespace nearfar {

namespace {

/// Sources of one block and image.
template <class T>
struct Origin {
  SourceView<T> source;
  T shift[3];

  bool is(Origin const& o) const { return source.record == o.source.record && same_image(o); }
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

template <class Tag, class T, Kernel K, bool Gradient>
struct ColumnOfTargets {
  using Pair = NearPair<K, Gradient>;
  using V = Batch<T, Tag>;
  using Around = Neighbourhood<V, T, Pair>;
  using Rough = typename Around::Rough;
  static constexpr int most_stretches = 256, most_origins = 128;

  P2PBuffers<T> const& b;
  Share share;
  Rough limit;
  int stretches = 0, origins = 0;
  Stretch stretch[most_stretches], sorted[most_stretches];
  Origin<T> origin[most_origins];
  struct {
    Origin<T> const* from;
    int end;          ///< of its stretches, sorted
    int end_of_runs;  ///< in them
  } group[most_origins];
  struct {
    int first, last;  ///< points
  } run[most_stretches];
  Around around;

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
      many = last - t < Bunch<V>::most ? last - t : Bunch<V>::most;
      while (offset[low + 1] <= t) ++low;
      while (offset[high + 1] < t + many) ++high;
      find_runs(z + low, z + high);
      Bunch<V> const bunch(b, t, many);
      for (int begin = 0; begin < many; begin += Tile<V>::targets) add_to(bunch, begin);
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
        group[ordered++] = {&origin[o], to, 0};
      }
  }

  /// Of the sources around targets in the cells z = low .. high.
  void find_runs(int low, int high) {
    int runs = 0;
    for (int g = 0, i = 0; g < origins; ++g) {
      for (; i < group[g].end; ++i) {
        Stretch const& s = sorted[i];
        int const begin = low - s.reach > s.low ? low - s.reach : s.low,
                  last = high + s.reach < s.high ? high + s.reach : s.high;
        if (begin <= last && s.offset[begin] < s.offset[last + 1]) run[runs++] = {s.offset[begin], s.offset[last + 1]};
      }
      group[g].end_of_runs = runs;
    }
  }

  /// For the tile that begins with this one of a bunch.
  void add_to(Bunch<V> const& bunch, int begin) {
    constexpr int most = Tile<V>::targets;
    V at[3], x[3], u[Pair::results];
    for (int d = 0; d < 3; ++d) at[d] = repeat<most, V>(bunch.position[d] + begin);
    for (V& component : u) component = V(T(0));
    Rough rough[most][3];
    int count = 0;
    for (int g = 0, i = 0; g < origins; ++g) {
      Origin<T> const& from = *group[g].from;
      if (g == 0 || !from.same_image(*group[g - 1].from)) {
        around.sum(count, b.tables->near, x, u);
        count = 0;
        for (int d = 0; d < 3; ++d) {
          x[d] = at[d] - V(from.shift[d]);
          for (int t = 0; t < most; ++t)
            rough[t][d] = Rough(static_cast<float>(bunch.position[d][begin + t] - from.shift[d]));
        }
      }
      int looked_up = count;
      for (; i < group[g].end_of_runs; ++i)
        // Long runs go in pieces that fit.
        for (int first = run[i].first, last; first < run[i].last; first = last) {
          int const room = around.capacity - count;
          last = run[i].last - first < room ? run[i].last : first + room;
          count = around.find(count, from.source, first, last, rough, limit);
          if (count < around.capacity) continue;
          around.look_up(from.source.record, looked_up, count);
          around.sum(count, b.tables->near, x, u);
          count = looked_up = 0;
        }
      around.look_up(from.source.record, looked_up, count);
    }
    around.sum(count, b.tables->near, x, u);
    for (int m = 0; m < Pair::results; ++m) {
      alignas(64) T lane[V::size];
      u[m].store_aligned(lane);
      for (int t = 0; t < most && begin + t < bunch.count; ++t) {
        T sum = lane[t];
        for (int s = 1; s < Tile<V>::sources; ++s) sum += lane[s * most + t];
        b.result[m * b.result_stride + bunch.number[begin + t] - share.first] += sum;
      }
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
  ColumnOfTargets<Tag, T, K, Gradient> targets{b, share, rough_limit<T>(c), 0, 0, {}, {}, {}, {}, {}, {}};
  for (int m = 0; m < NearPair<K, Gradient>::results; ++m)
    for (int t = 0; t < share.count(); ++t) b.result[m * b.result_stride + t] = T(0);

  for (int i = 0; i < count[0] * count[1]; ++i) {
    int const begin = b.offset[i * count[2]], end = b.offset[(i + 1) * count[2]];
    if (begin == end || end <= share.first) continue;
    if (begin >= share.last) break;
    for_each_column(c, first[0] + i / count[1], first[1] + i % count[1], [&](Column const& column) {
      for_each_stretch<T>(
          args, column, first[2] - column.reach, first[2] + count[2] - 1 + column.reach,
          [&](int n) { return b.source(n); },
          [&](SourceView<T> const& source, int cell, int z, int length, T const* shift) {
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
