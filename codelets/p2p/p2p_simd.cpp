// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/p2p/p2p_simd.hpp"

#include "codelets/simd_records.hpp"
#include "core/near_tile.hpp"

namespace nearfar {

namespace {

/// A few targets beside each other against as many sources as then fill a vector: all of their pairs at once. Few, so
/// that hardly any source near one of them is too far from the others.
template <class V>
struct Tile {
  static constexpr int lanes = int(V::size), targets = lanes < targets_per_tile ? lanes : targets_per_tile,
                       sources = lanes / targets;
};

/// Targets that follow each other along a column, in an order in which every few of them are close together.
template <class T>
struct Bunch {
  static constexpr int most = targets_per_bunch;
  int count, number[most];
  T position[3][most];  ///< what is past the end repeats the first

  /// Those from `first` on, cut in two where they spread widest, by whole tiles, and each half so again.
  [[gnu::always_inline]] inline Bunch(P2PBuffers<T> const& b, int first, int count_, int tile) : count(count_) {
    float key[3][most], width[3];
    for (int d = 0; d < 3; ++d) width[d] = take_keys(b.target + d * b.stride + first, key[d]);
    int const once = widest(width);
    int rank[most];
    rank_by(key[once], rank);
    width[once] /= 2;
    int const again = widest(width), tiles = (count + tile - 1) / tile, half = (tiles + 1) / 2 * tile;
    for (int i = 0; i < most; ++i) key[again][i] += rank[i] < half ? 0 : 4 * width[again];
    rank_by(key[again], rank);
    for (int i = 0; i < most; ++i) number[i] = first;
    for (int i = 0; i < count; ++i) number[rank[i]] = first + i;
    for (int d = 0; d < 3; ++d)
      for (int i = 0; i < most; ++i) position[d][i] = b.target[d * b.stride + number[i]];
  }

 private:
  /// Coordinates from the least one on; returns the largest.
  [[gnu::always_inline]] inline float take_keys(T const* x, float* key) const {
    T low = x[0], high = x[0];
    for (int i = 1; i < count; ++i) {
      low = x[i] < low ? x[i] : low;
      high = x[i] > high ? x[i] : high;
    }
    for (int i = 0; i < most; ++i) key[i] = float(x[i < count ? i : 0] - low);
    return float(high - low);
  }
  [[gnu::always_inline]] static inline int widest(float const* width) {
    int const d = width[1] > width[0] ? 1 : 0;
    return width[2] > width[d] ? 2 : d;
  }
  /// Equal keys stay in order; those past the end come last.
  [[gnu::always_inline]] inline void rank_by(float const* key, int* rank) const {
    for (int i = 0; i < most; ++i) {
      int before = 0;
      for (int k = 0; k < most; ++k) before += (k < count) & ((key[k] < key[i]) | ((key[k] == key[i]) & (k < i)));
      rank[i] = before;
    }
  }
};

/// The sources near a tile, found in single precision by their rough positions, a hair too many. How many there are is
/// the caller's to keep, so that it stays in a register.
template <class V, class T, class Pair>
struct Neighbourhood {
  using Rough = xsimd::batch<float, typename V::arch_type>;
  static constexpr int rough_lanes = int(Rough::size), capacity = 1024, width = record_width(Pair::strengths);
  /// Of sources that are summed at once, and of vectors that they fill.
  static constexpr int vectors = Pair::polynomials < 3 ? 3 : 2, at_once = vectors * Tile<V>::sources, together = 8;
  int number[capacity + rough_lanes] = {};  ///< of sources in their block
  T const* record[capacity + together + at_once];

  /// Appends the sources first .. last - 1 that are near one of the targets and returns how many there are then; x is
  /// where the targets are for their image, `limit` the square of the cutoff and a hair.
  [[gnu::always_inline]] inline int find(int count, SourceView<T> const& source, int first, int last,
                                         Rough const (*x)[3], Rough limit) {
    for (int j = first; j < last; j += rough_lanes) {
      Rough at[3], least = limit;
      for (int d = 0; d < 3; ++d) at[d] = Rough::load_unaligned(source.rough + d * source.stride + j);
      for (int t = 0; t < Tile<V>::targets; ++t) {
        Rough const dx = x[t][0] - at[0], dy = x[t][1] - at[1], dz = x[t][2] - at[2];
        least = xsimd::min(least, dx * dx + dy * dy + dz * dz);
      }
      // Lanes past the end of the run hold points of the next one.
      int const rest = last - j;
      unsigned const in_run = rest < rough_lanes ? (1u << rest) - 1 : ~0u;
      unsigned const within = bits_of(least < limit) & in_run;
      append_lanes<rough_lanes>(within, j, number + count);
      count += __builtin_popcount(within);
    }
    return count;
  }

  /// Numbers from `begin` on are of this block.
  [[gnu::always_inline]] inline void look_up(T const* records, int begin, int count) {
    for (int i = begin; i < count; i += together)
      for (int k = 0; k < together; ++k) record[i + k] = records + std::int64_t(number[i + k]) * width;
  }

  /// Adds what they do to targets at x.
  [[gnu::always_inline]] inline void sum(int count, NearKernel<T> const& near, V const* x, V* u) {
    static constexpr T nobody[width] = {};
    for (int i = count; i < count + at_once; ++i) record[i] = nobody;
    for (int i = 0; i < count; i += at_once) add(near, record + i, x, u);
  }

 private:
  [[gnu::always_inline]] static inline void add(NearKernel<T> const& near, T const* const* row, V const* x, V* u) {
    V const zero(T(0)), limit(near.cutoff_squared);
    V column[vectors][width], r[vectors][3], r2[vectors], inverse[vectors], factor[vectors][Pair::factor_count];
    for (int n = 0; n < vectors; ++n) {
      for (int c = 0; c < width; c += 4) spread_quad<Tile<V>::targets>(row + n * Tile<V>::sources, c, column[n] + c);
      for (int d = 0; d < 3; ++d) r[n][d] = x[d] - column[n][d];
      r2[n] = r[n][0] * r[n][0] + r[n][1] * r[n][1] + r[n][2] * r[n][2];
      inverse[n] = xsimd::select(r2[n] > zero, inverse_sqrt(r2[n]), zero);
    }
    near_factors<Pair, vectors>(near, r2, inverse, factor);
    for (int n = 0; n < vectors; ++n) {
      auto const within = r2[n] < limit;
      for (V& f : factor[n]) f = xsimd::select(within, f, zero);
      Pair::add(factor[n], r[n][0], r[n][1], r[n][2], column[n] + 3, u);
    }
  }
};

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
      many = last - t < Bunch<T>::most ? last - t : Bunch<T>::most;
      while (offset[low + 1] <= t) ++low;
      while (offset[high + 1] < t + many) ++high;
      find_runs(z + low, z + high);
      Bunch<T> const bunch(b, t, many, Tile<V>::targets);
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
  void add_to(Bunch<T> const& bunch, int begin) {
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
